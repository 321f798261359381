import { pointerNames } from '../../runtime/json/pointer-names.ts'
import { keywordOf } from '../../runtime/keywords/keywords.ts'
import { jsonOffset } from '../json/json-offset.ts'
import type { SourcePosition } from '../model.ts'
import type { Evaluation } from './evaluate-files.ts'
import { type Declaration, findDeclaration, findKey } from './find-declaration.ts'
import { SourceText } from './source-text.ts'

/** Tells where a definition, or a part of it, stands. Reads sources only when asked. */
export type Locator = (pointer: string) => SourcePosition

/** Locates what a module exports: in its own file, else in a file that this one imports, as for a re-export. */
export function moduleLocator(file: string, declaration: Declaration, evaluation: Evaluation): Locator {
  let found: { source: SourceText; offset: number } | undefined
  return (pointer) => {
    found ??= findSource(file, declaration, evaluation)
    let offset = found.offset
    for (const key of writtenKeys(pointer)) offset = findKey(found.source, key, offset) ?? offset
    return found.source.position(offset)
  }
}

/** Locates what a JSON file holds, exactly. */
export function jsonLocator(source: SourceText, path: readonly string[]): Locator {
  return (pointer) => source.position(jsonOffset(source.json, [...path, ...pointerNames(pointer)]))
}

function findSource(file: string, declaration: Declaration, { sources, imports }: Evaluation) {
  const seen = new Set([file])
  for (const candidate of seen) {
    const source = sources.get(candidate)
    const offset = source && findDeclaration(source, declaration)
    if (source && offset !== undefined) return { source, offset }
    for (const imported of imports.get(candidate) ?? []) seen.add(imported)
  }
  return { source: sources.get(file) ?? new SourceText('', file), offset: 0 }
}

/** The names in a pointer that an author wrote: the keys of maps of schemas. */
function writtenKeys(pointer: string): string[] {
  const path = pointerNames(pointer)
  return path.filter((_, index) => keywordOf(path[index - 1] ?? '')?.place === 'map')
}
