import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { SourcePosition } from '../model.ts'
import { stackOf } from './thrown-text.ts'

/**
 * Where in the sources an error was thrown: the innermost frame of its stack that lies in the bundle and came from a
 * source file.
 *
 * @param modulePath Where the bundle stood when it ran.
 */
export function thrownAt(error: unknown, modulePath: string, sourceMap: string): SourcePosition | undefined {
  const url = pathToFileURL(modulePath).href
  const map = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload)
  for (const frame of stackOf(error).split('\n')) {
    const at = [url, modulePath].map((place) => frame.indexOf(`${place}:`)).find((index) => index !== -1)
    const [, line, column] = (at === undefined ? '' : frame.slice(at)).match(/\.mjs:(\d+):(\d+)/) ?? []
    const found: Partial<SourceMapping> =
      line && column ? map.findEntry(Number(line) - 1, Number(column) - 1) : {}
    const { generatedLine, originalSource, originalLine, originalColumn } = found
    const isFound = originalSource !== undefined && originalLine !== undefined && originalColumn !== undefined
    if (isFound && generatedLine === Number(line) - 1) {
      return { file: originalSource, line: originalLine + 1, column: originalColumn + 1 }
    }
  }
  return undefined
}
