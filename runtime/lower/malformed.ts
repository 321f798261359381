import { typeWords } from '../checks/scalars.ts'
import type { Problem } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { holdsOnlySchemas, keywordOf } from '../keywords/keywords.ts'
import { briefly } from '../problems/problem.ts'
import { childPointer } from '../schema/schema-children.ts'

/** Finds the first malformed keyword that lowering would descend into. The schema may come from an untrusted source. */
export function malformed(schema: unknown, pointer: string = ''): Problem | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isJsonObject(schema) || holdsOnlySchemas(schema)) return problem(pointer, 'a schema', schema)
  for (const [keyword, value] of Object.entries(schema)) {
    const found = value === undefined ? undefined : malformedKeyword(keyword, value, pointer)
    if (found) return found
  }
  return undefined
}

function malformedKeyword(keyword: string, value: unknown, pointer: string): Problem | undefined {
  const entry = keywordOf(keyword)
  if (!entry) return undefined
  const at = `${pointer}/${keyword}`
  if (['function', 'symbol', 'bigint'].includes(typeof value)) return problem(at, 'JSON', value)
  if (keyword === 'enum') return Array.isArray(value) ? undefined : problem(at, 'a list of values', value)
  if (keyword === 'required') return isListOfTexts(value) ? undefined : problem(at, 'a list of names', value)
  if (keyword === 'type') return isType(value) ? undefined : problem(at, 'the name of a JSON type', value)
  const { place } = entry
  if (place === undefined) return undefined
  if (place === 'list' || (keyword === 'items' && Array.isArray(value))) {
    if (!Array.isArray(value)) return problem(at, 'a list of schemas', value)
    return first(Object.entries(value), keyword, pointer)
  }
  if (place === 'single') return malformed(value, at)
  if (!isJsonObject(value)) return problem(at, 'schemas by name', value)
  // Draft-07's `dependencies` may also contain lists of names.
  return first(
    Object.entries(value).filter(([, child]) => keyword !== 'dependencies' || !Array.isArray(child)),
    keyword,
    pointer,
  )
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isType(value: unknown): boolean {
  return (Array.isArray(value) ? value : [value]).every(
    (each) => typeof each === 'string' && Object.hasOwn(typeWords, each),
  )
}

function first(
  children: readonly (readonly [string, unknown])[],
  keyword: string,
  pointer: string,
): Problem | undefined {
  for (const [key, child] of children) {
    const found = malformed(child, `${pointer}${childPointer(keyword, key)}`)
    if (found) return found
  }
  return undefined
}

function problem(path: string, expected: string, value: unknown): Problem {
  const received = briefly(value)
  const place = path === '' ? 'The root' : path
  return { path, expected, received, message: `${place}: expected ${expected}, got ${received}` }
}
