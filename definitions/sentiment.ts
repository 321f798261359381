import { tool } from 'callsheet'
import { Type } from 'typebox'

/** Has no Activity, and says that this is meant: the model fills in `_output` as it makes the Call. */
export const sentiment = tool(
  'sentiment',
  {
    _activity: '',
    text: Type.String({ minLength: 1 }),
    _output: Type.Object({
      mood: Type.Union([Type.Literal('positive'), Type.Literal('neutral'), Type.Literal('negative')]),
      confidence: Type.Number({ minimum: 0, maximum: 1 }),
    }),
  },
  { description: 'Judges the mood of a text.', effects: 'read' },
)
