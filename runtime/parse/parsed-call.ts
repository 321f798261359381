/** What the parser yields: an object that names its Tool. Nothing else about it has been checked yet. */
export interface ParsedCall {
  readonly _tool: string
  readonly [key: string]: unknown
}

/** The parameter names, in order, of a Tool that may be called by position; undefined for any other name. */
export type PositionalParameters = (tool: string) => readonly string[] | undefined
