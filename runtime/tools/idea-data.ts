import type { Message } from '../context/message.ts'
import type { JsonSchema } from '../schema/schema.ts'

/**
 * A stored Request as plain JSON: what to answer in, what to look at, and, where there is one, what was answered
 * (REQ-11). With an `input` Message in its context it is callable.
 */
export interface IdeaData {
  readonly schema: JsonSchema
  readonly context: readonly Message[]
  readonly solution?: unknown
}
