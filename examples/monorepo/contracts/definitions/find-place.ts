import { tool } from 'callsheet'
import { Type } from 'typebox'
import { Position } from './position.js'

export const findPlace = tool(
  'findPlace',
  {
    name: Type.String({ minLength: 1, description: 'A city' }),
    country: Type.Optional(Type.String({ description: 'Needed where cities share a name' })),
    _outputPath: Type.Optional(Type.String()),
    _output: Position,
  },
  { description: 'Finds where a city is.', effects: 'read' },
)
