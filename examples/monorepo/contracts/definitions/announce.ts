import { tool } from 'callsheet'
import { Type } from 'typebox'

/** Has no Activity: the model that makes the Call writes the announcement. */
export const announce = tool(
  'announce',
  {
    booking: Type.String(),
    language: Type.Union([Type.Literal('en'), Type.Literal('de')]),
    _activity: Type.Literal(''),
    _output: Type.String({ minLength: 1, maxLength: 160 }),
  },
  { description: 'Words a text message to whoever gets the parcel.', effects: 'read' },
)
