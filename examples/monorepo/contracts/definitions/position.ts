import { Type } from 'typebox'

/** Where something is; several Tools speak of it, and it is generated once. */
export const Position = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  },
  { additionalProperties: false, description: 'A position on Earth, in degrees.' },
)
