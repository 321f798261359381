/** A parsed Call: an object that names its Tool. Nothing else has been checked yet. */
export interface ParsedCall {
  readonly _tool: string
  readonly [key: string]: unknown
}

/** Returns the parameter names, in order, of a Tool that may be called by position; undefined for any other name. */
export type PositionalParameters = (tool: string) => readonly string[] | undefined
