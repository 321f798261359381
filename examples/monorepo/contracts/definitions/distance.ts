import { tool } from 'callsheet'
import { Type } from 'typebox'
import { Position } from './position.js'

export const distance = tool(
  'distance',
  {
    from: Position,
    to: Position,
    unit: Type.Optional(Type.Union([Type.Literal('km'), Type.Literal('mi')], { default: 'km' })),
    _outputPath: Type.Optional(Type.String()),
    _output: Type.Object({
      length: Type.Number({ minimum: 0, description: 'As the crow flies' }),
      heading: Type.String({ description: 'Compass point, such as NNE' }),
    }),
  },
  { description: 'Measures the way between two positions.', effects: 'read' },
)
