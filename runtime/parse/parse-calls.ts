import type { Call } from '../context/message.ts'

/** Reads Calls from a model's answer (CALL-9). */
export interface ParseCalls {
  /** Reads a Call, an array of Calls, a solution, or a provider's form of these: as a value, as JSON text, fenced, or in prose. */
  (text: unknown): Call[]
  /** Reads the arguments of a named Tool: an object, or its JSON text. */
  (name: string, text: unknown): Call
  /** Reads positional arguments of a named Tool: a JSON array or a tuple literal. */
  tuple(name: string, text: unknown): Call
}
