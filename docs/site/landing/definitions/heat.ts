import { defineContext, tool } from 'callsheet'
import { Type } from 'typebox'

export const heat = tool(
  'heat',
  { outside: Type.Number({ description: 'Degrees Celsius' }) },
  { description: 'Sets the heating for the temperature outside.', effects: 'write' },
)

// With a declared state, the compiler reads References.
export const context = defineContext({ state: Type.Object({}) })
