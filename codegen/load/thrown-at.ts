import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module'
import { basename } from 'node:path'
import type { SourcePosition } from '../model.ts'
import { stackOf } from './thrown-text.ts'

/**
 * Finds where in the sources an error was thrown: the innermost frame of its stack that is in the bundle and belongs to a source
 * file.
 *
 * @param modulePath The path of the bundle when it ran.
 */
export function thrownAt(error: unknown, modulePath: string, sourceMap: string): SourcePosition | undefined {
  // Node reports the real path, which links may hide. The file name is unique.
  const name = `${basename(modulePath)}:`
  const map = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload)
  for (const frame of stackOf(error).split('\n')) {
    const at = frame.indexOf(name)
    const [, line, column] = (at < 0 ? '' : frame.slice(at + name.length)).match(/^(\d+):(\d+)/) ?? []
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
