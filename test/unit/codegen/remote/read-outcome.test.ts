import { createRegistry } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { readOutcome } from '../../../../codegen/remote/read-outcome.ts'
import { outcomeJson } from '../../../../runtime/server/outcome-json.ts'

describe('SERVE-7 what a server tells of a Call', () => {
  test('is the Outcome as it is', async () => {
    const { Tool } = createRegistry({ tools: { pay: { type: 'object', properties: {} } } })
    const outcome = JSON.parse(JSON.stringify(outcomeJson(await Tool.run({ _tool: 'pya' } as never))))
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'unknown_tool', suggestions: ['pay'] } })
    expect(readOutcome(outcome)).toEqual(outcome)
  })

  test.each([null, 5, [], {}, { status: 5 }, { status: 'done' }])('%j is none', (told) => {
    expect(readOutcome(told)).toBeUndefined()
  })

  test.each([
    [
      { error: 5, appended: {}, attempts: '2' },
      { attempts: 0, appended: [] },
    ],
    [
      { error: { code: 5, message: {}, problems: 5, suggestions: {} } },
      {
        attempts: 0,
        appended: [],
        error: { name: 'Error', code: 'failed', message: 'The server gave no reason.' },
      },
    ],
    [
      { error: { name: 'E', code: 'x', message: 'm', problems: [null, { path: 5 }], suggestions: [5, 'a'] } },
      {
        attempts: 0,
        appended: [],
        error: { name: 'E', code: 'x', message: 'm', problems: [], suggestions: ['a'] },
      },
    ],
  ])('of %j what has another form is left out', (odd, want) => {
    expect(readOutcome({ status: 'failed', ...odd })).toEqual({ status: 'failed', ...want })
  })
})
