import { tool } from 'callsheet'
import { Type } from 'typebox'

export const weatherCheck = tool('weather.check', {
  location: Type.String({ description: 'City and country' }),
  units: Type.Optional(Type.Enum(['metric', 'imperial'], { default: 'metric' })),
  days: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 14 }), Type.Null()])),
  _output: Type.Object({
    temperature: Type.Number(),
    conditions: Type.String(),
  }, { additionalProperties: false }),
}, {
  title: 'Weather',
  description: 'Current weather at a location.',
  // As the server says of itself: check it before anything is retried or raced.
  effects: 'read',
})
