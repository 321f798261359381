import type { Schema } from '../../../../runtime/schema/schema.ts'

/** An `if` schema. Made from entries, since an object literal with a `then` looks like a promise to readers and tools. */
export function conditional(condition: Schema, met: Schema, unmet?: Schema): Schema {
  const branches = [
    ['if', condition],
    ['then', met],
    ['else', unmet],
  ]
  return Object.fromEntries(branches.filter(([, schema]) => schema !== undefined))
}
