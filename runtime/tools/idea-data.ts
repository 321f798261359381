import type { GivenMessage, Message } from '../context/message.ts'
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

/** {@link IdeaData} whose schemas may also be TypeBox ones. They are stored as plain JSON Schema. */
export interface IdeaOptions extends Omit<IdeaData, 'schema' | 'context'> {
  /** The schema of the answer. */
  readonly schema: JsonSchema | object
  readonly context: readonly GivenMessage[]
}
