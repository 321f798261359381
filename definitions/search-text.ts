import { tool } from 'callsheet'
import { Type } from 'typebox'
import { Place } from './shared.ts'

export const searchText = tool(
  'searchText',
  {
    query: Type.String({ minLength: 1, description: 'What to look for, as plain text' }),
    where: Type.Object(
      {
        folder: Type.String({ description: 'The folder to search, with those inside it' }),
        extensions: Type.Optional(Type.Array(Type.String({ pattern: '^\\.[a-z]+$' }), { maxItems: 8 })),
      },
      { additionalProperties: false },
    ),
    options: Type.Optional(
      Type.Object(
        {
          caseSensitive: Type.Optional(Type.Boolean({ default: false })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
        },
        { additionalProperties: false },
      ),
    ),
    _outputPath: Type.Optional(Type.String()),
    _output: Type.Array(Type.Object({ place: Place, text: Type.String() })),
  },
  { description: 'Finds the lines that hold a text in the files of a folder.', effects: 'read' },
)
