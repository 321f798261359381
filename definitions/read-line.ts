import { tool } from 'callsheet'
import { Type } from 'typebox'
import { Place } from './shared.ts'

export const readLine = tool(
  'readLine',
  {
    folder: Type.String({ description: 'The folder that the place is relative to' }),
    place: Place,
    _output: Type.String({ description: 'The line without its line break' }),
  },
  { description: 'Reads one line of a text file.', effects: 'read' },
)
