import { mapOf } from '../problems/field-rule.ts'
import { requireArgument } from '../problems/option-problems.ts'
import type { Schema } from '../schema/schema.ts'

/** The schemas of what a project's contexts hold, by kind of data: `state`, `input`, and any other. */
export interface ContextSchemas {
  /** What Calls write and read as they run. A property that is required is there from the start. */
  state?: Schema | object
  /** What a context begins with. */
  input?: Schema | object
  [kind: string]: Schema | object | undefined
}

/**
 * Declares what the data in a project's contexts looks like, once, beside its Tools. From then on the compiler checks
 * References: `†state.user.nmae` is an error that says so, and `†state.user.name` has the type that the schema gives
 * (TYPE-1). The schemas are for the compiler and for `plan`; no context is validated against them.
 *
 * Export the result from a definitions file; a project has one.
 *
 * @example
 * export const context = defineContext({
 *   state: Type.Object({ forecast: Type.Optional(Forecast) }),
 *   input: Type.Object({ city: Type.String() }),
 * })
 */
export function defineContext<const Schemas extends ContextSchemas>(schemas: Schemas): Schemas {
  requireArgument('defineContext', schemas, mapOf('schemas by kind'))
  // Hidden, as TypeBox hides its marks: a spread or JSON shows schemas only.
  return Object.defineProperty({ ...schemas }, '~callsheet', { value: 'context', enumerable: false })
}
