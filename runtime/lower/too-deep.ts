import type { Problem } from '../errors.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { childPointer, forEachChildSchema } from '../schema/schema-children.ts'

/** A registered Tool nests 200 levels at most, and what composes it adds a few; far below what overflows a stack. */
const deepest = 250

/** The first schema that is nested deeper than lowering follows. */
export function tooDeep(schema: JsonSchema): Problem | undefined {
  const path = deepPlace(schema, '', 0)
  if (path === undefined) return undefined
  const [expected, received] = [`at most ${deepest} levels`, 'more']
  return {
    path,
    expected,
    received,
    message: `${path.slice(0, 60)}…: expected ${expected} of schemas, got ${received}; move parts of it to $defs`,
  }
}

function deepPlace(schema: Schema, pointer: string, depth: number): string | undefined {
  if (depth > deepest) return pointer
  let found: string | undefined
  forEachChildSchema(schema, (child, keyword, key) => {
    found ??= deepPlace(child, `${pointer}${childPointer(keyword, key)}`, depth + 1)
  })
  return found
}
