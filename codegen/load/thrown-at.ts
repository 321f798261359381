import { pathToFileURL } from 'node:url'
import type { SourcePosition } from '../model.ts'
import { originalPosition } from './source-map.ts'

/**
 * Where in the sources an error was thrown: the innermost frame of its stack that lies in the bundle and came from a
 * source file.
 *
 * @param modulePath Where the bundle stood when it ran.
 */
export function thrownAt(error: unknown, modulePath: string, sourceMap: string): SourcePosition | undefined {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined
  const url = pathToFileURL(modulePath).href
  for (const frame of error.stack.split('\n')) {
    const at = [url, modulePath].map((place) => frame.indexOf(`${place}:`)).find((index) => index !== -1)
    const [, line, column] = (at === undefined ? '' : frame.slice(at)).match(/\.mjs:(\d+):(\d+)/) ?? []
    const original = line && column && originalPosition(sourceMap, Number(line), Number(column))
    if (original) return { file: original.source, line: original.line, column: original.column }
  }
  return undefined
}
