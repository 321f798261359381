import { tool } from 'callsheet'
import { Type } from 'typebox'

export const sendMail = tool('send-mail', {
  _from: Type.String({ format: 'email' }),
  to: Type.Array(Type.String({ format: 'email' }), { minItems: 1 }),
  body: Type.Optional(Type.String()),
  attachments: Type.Optional(Type.Array(Type.Ref('#/$defs/Attachment'))),
  _output: Type.Unknown(),
}, {
  description: "Sends a message; it's final.",
  // As the server says of itself: check it before anything is retried or raced.
  effects: 'write',
  parameters: ['_from'],
  additionalProperties: true,
  anyOf: [{ required: ['body'] }, { required: ['attachments'] }],
  $defs: {
    Attachment: Type.Object({
      name: Type.String(),
      size: Type.Optional(Type.Integer({ exclusiveMinimum: 0 })),
    }, { additionalProperties: false }),
  },
})
