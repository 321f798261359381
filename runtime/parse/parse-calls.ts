import type { Call } from '../context/message.ts'

/** How the Calls in what a model sent are read (CALL-9). */
export interface ParseCalls {
  /** A JSON object or array of Calls, as text, fenced, in prose, or a solution object. */
  (text: unknown): Call[]
  /** Positional arguments of a named Tool: a JSON array or a tuple literal. */
  tuple(name: string, text: unknown): Call
}
