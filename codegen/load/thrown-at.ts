import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module'
import { basename } from 'node:path'
import type { SourcePosition } from '../model.ts'
import { stackOf } from './thrown-text.ts'

/**
 * Where in the sources an error was thrown: the innermost frame of its stack that lies in the bundle and came from a
 * source file.
 *
 * @param modulePath Where the bundle stood when it ran.
 */
export function thrownAt(error: unknown, modulePath: string, sourceMap: string): SourcePosition | undefined {
  // Node says where the file really lies, which links on the way to it tell otherwise. Its name is its own.
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
