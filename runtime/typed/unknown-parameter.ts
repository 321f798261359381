/**
 * What the compiler asks for when a literal Call has a property that its Tool does not know: read the property's name
 * off the message, as in `UnknownParameter<"weatherCheck", "lcation">`.
 */
export interface UnknownParameter<Tool, Parameter> {
  readonly 'unknown parameter': Parameter
  readonly tool: Tool
}
