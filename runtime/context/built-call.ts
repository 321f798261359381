/**
 * A Call made by a builder of `calls`. Its type carries the output and the path it is written to: the properties with a `~` do
 * not exist at run time, where the Call is plain JSON.
 *
 * @typeParam OutputPath The literal `_outputPath`; `never` for a Call without one, `unknown` if it is not known statically.
 */
export interface BuiltCall<Output, OutputPath = unknown> {
  readonly _tool: string
  readonly '~output': Output
  readonly '~outputPath'?: OutputPath
}
