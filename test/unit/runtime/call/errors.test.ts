import { runInNewContext } from 'node:vm'
import { ActivityError, CallError, CallsheetError, isCallsheetError, OutputError } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { registryOf, rejection } from './harness.ts'

describe('CALL-8a errors', () => {
  const problems = [{ path: '/n', expected: 'a number', received: '"x"', message: '/n: expected a number' }]

  test('as JSON they are data: no stack, no cause', () => {
    const error = new CallError('invalid_call', 'no', {
      problems,
      suggestions: ['yes'],
      cause: new Error('why'),
    })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'CallError',
      code: 'invalid_call',
      message: 'no',
      problems,
      suggestions: ['yes'],
    })
    expect(JSON.parse(JSON.stringify(new CallError('invalid_call', 'no')))).toEqual({
      name: 'CallError',
      code: 'invalid_call',
      message: 'no',
    })
    expect(error.cause).toEqual(new Error('why'))
  })

  test('CALL-1 what Tool(…) gave is no Call: a group that was handed Promises is told so', async () => {
    const { Tool } = registryOf({})
    const running = Promise.resolve(1)
    const error = await rejection(Tool.all([running as never]))
    expect(error.message).toContain('this is a Promise; a Call is what calls.NAME(…) makes')
  })

  test.each([CallsheetError, CallError, OutputError, ActivityError])(
    '%o is an Error with its own name',
    (Kind) => {
      const error = new Kind('timeout', 'late')
      expect(error).toBeInstanceOf(Error)
      expect(error).toBeInstanceOf(CallsheetError)
      expect(error.name).toBe(Kind.name)
      expect(isCallsheetError(error)).toBe(true)
      expect('problems' in error || 'suggestions' in error || 'cause' in error).toBe(false)
    },
  )

  const foreign = runInNewContext(
    'Object.assign(new Error("far away"), { callsheet: true, code: "timeout" })',
  )
  const cases: [string, unknown, boolean][] = [
    [
      'an error of another copy of the package',
      Object.assign(new Error(), { callsheet: true, code: 'x' }),
      true,
    ],
    ['an error of another realm', foreign, true],
    ['an error that is not ours', new Error('no'), false],
    ['one with a code', Object.assign(new Error(), { code: 'ENOENT' }), false],
    ['data that says it is one', { callsheet: true, code: 'timeout', message: 'x' }, false],
    ['data of a model', JSON.parse('{"callsheet":true,"code":"timeout"}'), false],
    ['null', null, false],
    ['nothing', undefined, false],
  ]
  test.each(cases)('isCallsheetError: %s', (_what, value, want) => {
    expect(isCallsheetError(value)).toBe(want)
  })

  test('activity_failed carries what was thrown as its cause', async () => {
    const cause = Object.assign(new Error('the weather is out'), { code: 'EWEATHER' })
    const { Tool } = registryOf({ double: () => Promise.reject(cause) })
    const error = await rejection(Tool({ _tool: 'double', n: 1 }))
    expect(error).toMatchObject({ name: 'ActivityError', code: 'activity_failed', cause })
    expect(error.message).toBe('Activity "double" failed on "double": the weather is out')
  })
})
