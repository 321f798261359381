import type { Call } from '../context/message.ts'

/** How the Calls in what a model sent are read (CALL-9). */
export interface ParseCalls {
  /** A JSON object or array of Calls, a solution object, or a provider's form of these; as text, fenced, in prose. */
  (text: unknown): Call[]
  /** The arguments of a named Tool: an object, or its JSON text. */
  (name: string, text: unknown): Call
  /** Positional arguments of a named Tool: a JSON array or a tuple literal. */
  tuple(name: string, text: unknown): Call
}
