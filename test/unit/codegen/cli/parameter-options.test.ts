import { describe, expect, test } from 'vitest'
import { commonOptions } from '../../../../codegen/cli/command.ts'
import { parameterOptions, parametersFrom, withoutOption } from '../../../../codegen/cli/parameter-options.ts'
import { parseArguments } from '../../../../codegen/cli/parse-arguments.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    note: { type: 'string' },
    sign: { type: 'string', enum: ['', '+'] },
    amount: { type: 'number' },
    dry: { type: 'boolean' },
    phone: { type: ['string', 'null'] },
    id: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    format: { type: 'string' },
  },
}
const options = parameterOptions(schema, commonOptions)

function read(...args: string[]): Record<string, unknown> {
  const given = parseArguments(
    args,
    { ...options, ...commonOptions },
    { name: 'call pay', operands: undefined },
  )
  return parametersFrom(given, schema, options)
}

describe('SERVE-7 what the options of a Call say', () => {
  test.each([
    [['--note', ''], { note: '' }],
    [['--note=', '--sign='], { note: '', sign: '' }],
    [['--note=--dry'], { note: '--dry' }],
    [['--note', '-- a comment', '--amount', '-5'], { note: '-- a comment', amount: -5 }],
    [['--phone', '5551234', '--id', '5'], { phone: '5551234', id: 5 }],
    [['--phone', 'null', '--id', '12345678901234567890'], { phone: null, id: '12345678901234567890' }],
    [['--phone', '"null"', '--id', '"5"'], { phone: 'null', id: '5' }],
    [['--phone', 'true', '--id', '007'], { phone: 'true', id: '007' }],
    [['--phone', '[]', '--id', '{}'], { phone: '[]', id: '{}' }],
    [['--amount', '9007199254740994'], { amount: 9_007_199_254_740_994 }],
    [['--dry'], { dry: true }],
    [['--dry=false'], { dry: false }],
  ])('%j', (args, want) => {
    expect(read(...args)).toEqual(want)
  })

  test.each([
    // The payment would be made, with a note that says `--dry`.
    [
      ['--note', '--dry', '--amount', '5'],
      { message: 'Option --note needs a value: TEXT, got the option --dry.' },
      { fix: 'Write the value, or --note=--dry where that is the value.' },
    ],
    [['--note', '-s'], { message: 'Option --note needs a value: TEXT, got the option -s.' }],
    [['--note', '--drry=x'], { message: 'Option --note needs a value: TEXT, got the option --drry=x.' }],
    [['--note', 'a', '--note', 'b'], { message: 'Option --note is given twice.' }],
    [['--dry', '--dry=false'], { message: 'Option --dry is given twice.' }],
    [
      ['--amount', '9007199254740993'],
      { message: '--amount is 9007199254740993, of which a number keeps 9007199254740992.' },
      { fix: 'Pass one of at most 15 digits. Such ids are declared as strings.' },
    ],
    [['--amount', `1${'0'.repeat(400)}`], { message: expect.stringMatching(/keeps Infinity\.$/) }],
    [['--dry=no'], { message: 'Option --dry takes true, false or no value, got "no".' }],
  ])('wrong: %j', (args, ...want) => {
    expect(() => read(...args)).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining(Object.assign({}, ...want))] }),
    )
  })

  test('a parameter that is called like an option of the command has none', () => {
    expect(withoutOption(schema, options)).toEqual(['format'])
  })
})
