import { describe, expect, test } from 'vitest'
import { dialectNames } from '../../../../runtime/dialects/dialect-name.ts'
import { lower } from '../../../../runtime/lower/lower.ts'

/** Takes a regular expression longer than the universe has: 2^60 ways to cut the name. */
const name = `${'a'.repeat(60)}!`
const string = { type: 'string' } as const

describe('CALL-11a names of properties and patterns for names come from one schema, and cannot hang its lowering', () => {
  test.each(dialectNames)('%s', (dialect) => {
    const shapes = {
      declared: { properties: { [name]: string }, patternProperties: { '^(a+)+$': string } },
      required: { required: [name], patternProperties: { '^(a+)+$': string } },
      merged: {
        properties: { [name]: string },
        allOf: [{ patternProperties: { '^(a|a)*$': { type: 'string', minLength: 1 } } }],
      },
      'looking around': { properties: { [name]: string }, patternProperties: { '^(?=(a+)+$)': string } },
    }
    for (const [what, shape] of Object.entries(shapes)) {
      const begin = process.cpuUsage()
      try {
        lower({ type: 'object', ...shape }, dialect)
      } catch (error) {
        expect(error).toMatchObject({ code: 'unsupported_schema' })
      }
      const { user } = process.cpuUsage(begin)
      expect(user / 1000, what).toBeLessThan(1000)
    }
  })
})
