import { Type } from 'typebox'

/** A place in a file; several Tools speak of one, and it is generated once. */
export const Place = Type.Object(
  {
    file: Type.String({ description: 'Path, relative to the folder that was searched' }),
    line: Type.Integer({ minimum: 1, description: 'Counted from 1' }),
  },
  { additionalProperties: false, description: 'A place in a text file.' },
)
