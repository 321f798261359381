import type { Message } from '../context/message.ts'
import type { JsonSchema } from '../schema/schema.ts'

/**
 * A stored Request as plain JSON: the schema of the answer, the context, and the answer if there is one (REQ-11). It
 * can be called like a Tool; an `input` Message in its context then gives the parameters.
 */
export interface IdeaData {
  readonly schema: JsonSchema
  readonly context: readonly Message[]
  readonly solution?: unknown
}
