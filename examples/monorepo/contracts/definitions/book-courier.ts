import { tool } from 'callsheet'
import { Type } from 'typebox'

export const bookCourier = tool(
  'bookCourier',
  {
    kilometres: Type.Number({ exclusiveMinimum: 0 }),
    parcel: Type.Object(
      {
        kilograms: Type.Number({ exclusiveMinimum: 0, maximum: 30 }),
        fragile: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    note: Type.Optional(Type.String({ maxLength: 200, description: 'For whoever rings the bell' })),
    _output: Type.Object({
      booking: Type.String({ description: 'Number to ask about the parcel with' }),
      euros: Type.Number(),
    }),
  },
  { description: 'Books a courier.', effects: 'write' },
)
