import { isCallsheetError, type Outcome } from 'callsheet'
import { RequestError } from 'callsheet/agent'
import { describe, expect, test } from 'vitest'
import { type RequestOutput, requestTool } from '../../../../runtime/agent/loop/request-call.ts'
import { recordOutcome, reviveOutcome } from '../../../../runtime/durable/recorded-outcome.ts'
import { ActivityError, CallError, CallsheetError, OutputError } from '../../../../runtime/errors.ts'
import { bank } from './bank.ts'

const problems = [{ path: '/a', expected: 'a', received: 'b', message: '/a: expected a, got b' }]
const { Tool } = bank()
const failedWith = async (error: CallsheetError): Promise<Outcome> => ({
  ...(await Tool.run({ _tool: 'add', left: 1, right: 2 })),
  status: 'failed',
  error,
})
const throughJson = (outcome: Outcome): Outcome =>
  reviveOutcome(JSON.parse(JSON.stringify(recordOutcome(outcome))))

/** What a Request's error knows besides; nothing of another one. */
function factsOf(error: unknown): object {
  const { status, retryAfter, text, usage, attempts } = error as RequestError
  return { status, retryAfter, text, usage, attempts }
}

describe('DUR-2 an Outcome as an engine keeps it', () => {
  test('comes back as it was', async () => {
    const outcome = await Tool.run({ _tool: 'add', left: 1, right: 2, _outputPath: '†state.a' })
    expect(throughJson(outcome)).toEqual(outcome)
  })

  test.each([
    new CallError('invalid_call', 'a', { problems, suggestions: ['b'] }),
    new ActivityError('timeout', 'a'),
    new OutputError('invalid_output', 'a', { problems }),
    new CallsheetError('internal', 'a'),
    new RequestError('rate_limited', 'a', {
      status: 429,
      retryAfter: 5,
      text: 'b',
      attempts: 2,
      usage: { in: 3, out: 4, cached: 1 },
    }),
  ])('the error $name is one of its class again, and keeps no cause and no stack', async (error) => {
    Object.assign(error, { cause: new Error('hunter2') })
    const outcome = await failedWith(error)
    expect(JSON.stringify(recordOutcome(outcome))).not.toMatch(/hunter2|stack/)
    const { error: revived } = throughJson(outcome)
    expect(revived).toBeInstanceOf(error.constructor)
    expect(isCallsheetError(revived)).toBe(true)
    expect(revived?.toJSON()).toEqual(error.toJSON())
    expect(factsOf(revived)).toEqual(factsOf(error))
  })

  test('a Request comes back with what had started early, so that it does not run again, and what was refused', async () => {
    const started = await Tool.run({ _tool: 'fail', name: 'a' })
    const error = new CallError('unknown_tool', 'a', { suggestions: ['b'] })
    const request = {
      ...(await Tool.run({ _tool: 'add', left: 1, right: 2 })),
      tool: requestTool,
      output: {
        solution: { calls: [], output: null },
        usage: { in: 1, out: 2, cached: 0 },
        attempts: 1,
        mode: 'composed',
        schema: {},
        rejected: [{ place: 1, call: { _tool: 'c' }, error }],
        started: new Map([[3, started]]),
      },
    }
    const { output, ...rest } = throughJson(request)
    const { started: again, rejected, ...answer } = output as unknown as RequestOutput
    const { started: _, rejected: __, ...want } = request.output
    expect([rest.tool, answer]).toEqual([requestTool, want])
    const [[place, outcome] = []] = Array.from(again)
    expect([place, outcome?.id, outcome?.status]).toEqual([3, started.id, 'failed'])
    expect(outcome?.error).toBeInstanceOf(ActivityError)
    expect(rejected).toEqual(request.output.rejected)
    expect(rejected?.[0]?.error).toBeInstanceOf(CallError)
  })

  test('a Request that failed has no output, and comes back as it was', async () => {
    const failed = await failedWith(new RequestError('rate_limited', 'a'))
    const { output: _, ...request } = { ...failed, tool: requestTool }
    expect(throughJson(request)).toMatchObject({ tool: requestTool, error: { code: 'rate_limited' } })
  })

  test('an error of a Request brings along what had started', async () => {
    const inner = await Tool.run({ _tool: 'fail', name: 'a' })
    const { error } = throughJson(
      await failedWith(new RequestError('interrupted', 'a', { outcomes: [inner] })),
    )
    const [outcome] = (error as RequestError).outcomes
    expect(outcome).toMatchObject({ tool: 'fail', status: 'failed' })
    expect(outcome?.error).toBeInstanceOf(ActivityError)
  })

  test('a class that this version does not know is the common one', () => {
    const recorded = {
      error: { name: 'constructor', code: 'internal', message: 'a' },
    } as unknown as Parameters<typeof reviveOutcome>[0]
    expect(reviveOutcome(recorded).error).toBeInstanceOf(CallsheetError)
  })

  test('ACT-7a an output that JSON cannot hold is an invalid one, and nothing is written', async () => {
    const outcome = {
      ...(await Tool.run({ _tool: 'add', left: 1, right: 2, _outputPath: '†state.a' })),
      output: 10n,
    }
    const recorded = recordOutcome(outcome)
    expect(recorded).toMatchObject({ status: 'failed', error: { code: 'invalid_output' }, appended: [] })
    expect(recorded).not.toHaveProperty('output')
  })
})
