import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { read } from './read.ts'

test('docs/functions.md: the example gives what the page says', () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/functions.md', 'utf8')) ?? []
  const { schemas, problems } = read(example)
  expect(problems).toEqual([])
  expect(schemas.weatherCheck).toMatchObject({
    description: 'Current weather at a location.',
    effects: 'read',
    properties: {
      location: { type: 'string', minLength: 1, description: 'City and country.' },
      days: { type: 'integer', default: 3, minimum: 1, maximum: 14 },
      _output: { properties: { temperature: { type: 'number', description: 'In degrees Celsius.' } } },
    },
    required: ['_tool', 'location'],
  })
})
