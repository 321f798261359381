import { tool } from 'callsheet'
import { Type } from 'typebox'

export const forecast = tool(
  'forecast',
  {
    place: Type.String({ description: 'City and country' }),
    day: Type.Optional(Type.Enum(['today', 'tomorrow'])),
    _outputPath: Type.Optional(Type.String()),
    _output: Type.Object({ celsius: Type.Number(), sky: Type.String() }),
  },
  { description: 'The weather at a place.', effects: 'read' },
)
