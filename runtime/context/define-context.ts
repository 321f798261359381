import { mapOf } from '../problems/field-rule.ts'
import { requireArgument } from '../problems/option-problems.ts'
import type { Schema } from '../schema/schema.ts'

/** The schemas of the data in a project's contexts, by kind: `state`, `input`, and any other. */
export interface ContextSchemas {
  /** The data that Calls write and read while they run. Required properties are present from the start. */
  state?: Schema | object
  /** The data that a context starts with. */
  input?: Schema | object
  [kind: string]: Schema | object | undefined
}

/**
 * Declares the schemas of the data in a project's contexts, once, next to its Tools. The compiler then checks References:
 * `†state.user.nmae` is an error that names the path, and `†state.user.name` has the type of its schema (TYPE-1). The schemas are
 * used by the compiler and by `plan`; contexts are not validated against them.
 *
 * Export the result from a definitions file, once per project.
 *
 * @example
 * export const context = defineContext({
 *   state: Type.Object({ forecast: Type.Optional(Forecast) }),
 *   input: Type.Object({ city: Type.String() }),
 * })
 */
export function defineContext<const Schemas extends ContextSchemas>(schemas: Schemas): Schemas {
  requireArgument('defineContext', schemas, mapOf('schemas by kind'))
  // A hidden property, like TypeBox's marks: spreads and JSON contain only the schemas.
  return Object.defineProperty({ ...schemas }, '~callsheet', { value: 'context', enumerable: false })
}
