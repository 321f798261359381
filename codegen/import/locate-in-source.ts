import { jsonPlace } from '../json/json-offset.ts'
import { SourceText } from '../load/source-text.ts'
import type { SourcePosition } from '../model.ts'
import type { SourcePath } from './read-source.ts'

/** Returns what finds paths in a JSON text: the position of the first of them that exists furthest. */
export function locatorIn(file: string, text: string): (paths: readonly SourcePath[]) => SourcePosition {
  const source = new SourceText('', file, text)
  return (paths) => {
    const places = paths.map((path) => jsonPlace(source.json, path))
    const deepest = Math.max(...places.map(({ depth }) => depth))
    return source.position(places.find(({ depth }) => depth === deepest)?.offset ?? 0)
  }
}
