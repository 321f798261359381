import { tool } from 'callsheet'
import { Type } from 'typebox'

export const fileStats = tool(
  'fileStats',
  {
    file: Type.String({ minLength: 1, description: 'Path of a text file' }),
    _outputPath: Type.Optional(Type.String()),
    _output: Type.Object({
      lines: Type.Integer({ minimum: 0 }),
      words: Type.Integer({ minimum: 0 }),
      bytes: Type.Integer({ minimum: 0 }),
    }),
  },
  { description: 'Counts the lines, words and bytes of a text file.', effects: 'read' },
)
