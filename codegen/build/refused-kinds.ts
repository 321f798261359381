/** Suggests a replacement for each type that JSON does not have. Keys are `type` values of TypeBox 1.x and 0.34, in lower case. */
export const refusedKinds: Readonly<Record<string, string>> = {
  undefined:
    'Leave the property out of "required": Type.Optional(…). For "or nothing" in a value use Type.Null().',
  void: 'Leave "_output" out: a Tool without one has an Activity that returns nothing. Elsewhere use Type.Null().',
  bigint: "Use Type.Integer(), or for more than 53 bits a string: Type.String({ pattern: '^-?[0-9]+$' }).",
  symbol: 'Use a string, such as Type.Literal(…) or Type.Enum([…]).',
  function: 'Pass data in its place: a Call is JSON, and JSON has no functions.',
  constructor: 'Pass data in its place: a Call is JSON, and JSON has no classes.',
  promise: 'Declare the value that it resolves to.',
  iterator: 'Use Type.Array(…).',
  asynciterator: 'Use Type.Array(…).',
  date: "Use Type.String({ format: 'date-time' }).",
  uint8array: "Use Type.String({ contentEncoding: 'base64' }).",
  regexp: 'Use Type.String({ pattern: … }).',
  rest: 'Write the rest of a tuple as JSON Schema: Type.Unsafe({ prefixItems: [ … ], items: { … } }).',
  any: 'Use Type.Unknown(), which is the empty schema.',
  file: 'Use Type.String() with a path, a URL or base64 in it.',
}

export const jsonTypes: readonly string[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]
