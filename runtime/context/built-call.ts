/**
 * A Call that a builder of `calls` made. What it gives and where it writes that travel with it as types: the properties
 * with a `~` never exist at run time, and the Call is plain JSON.
 *
 * @typeParam OutputPath The literal `_outputPath`; `never` for a Call without one, `unknown` where nobody can tell.
 */
export interface BuiltCall<Output, OutputPath = unknown> {
  readonly _tool: string
  readonly '~output': Output
  readonly '~outputPath'?: OutputPath
}
