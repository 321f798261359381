import { tool } from 'callsheet'
import { Type } from 'typebox'

export const filter = tool('filter', {
  where: Type.Ref('#/$defs/Expression'),
  range: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
  labels: Type.Optional(Type.Object({}, { additionalProperties: Type.String() })),
  headers: Type.Optional(Type.Record(Type.String({ pattern: '^x-' }), Type.String())),
  when: Type.Optional(Type.Unsafe<unknown>({
    oneOf: [{ type: 'string', format: 'date' }, { type: 'null' }],
  })),
  _output: Type.Unknown(),
}, {
  // The source does not say. Change it to "read" or "idempotent" where that is true.
  effects: 'write',
  $defs: {
    Expression: Type.Union([
      Type.String(),
      Type.Object({
        op: Type.Literal('and'),
        parts: Type.Array(Type.Ref('#/$defs/Expression')),
      }, { additionalProperties: false }),
    ]),
  },
})
