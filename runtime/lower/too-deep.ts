import type { Problem } from '../errors.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { childPointer, forEachChildSchema } from '../schema/schema-children.ts'

/** Deepest nesting. A registered Tool has at most 200 levels, and composing adds a few; far less than overflows a stack. */
const deepest = 250

/** Finds the first subschema that is nested too deep. */
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
