import { tool } from 'callsheet'
import { Type } from 'typebox'

export const appendNote = tool(
  'appendNote',
  {
    file: Type.String({ description: 'Path of the file of notes; it is made when it is not there' }),
    note: Type.String({ minLength: 1, maxLength: 400 }),
    _output: Type.Object({ notes: Type.Integer({ minimum: 1, description: 'Notes in the file now' }) }),
  },
  { description: 'Adds a note at the end of a file of notes.', effects: 'write' },
)
