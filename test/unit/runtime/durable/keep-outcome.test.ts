import { expect, test } from 'vitest'
import { keepOutcome } from '../../../../runtime/durable/keep-outcome.ts'
import { requireSmallRequest, restateRecord } from '../../../../runtime/restate/limits.ts'
import type { RestateContext } from '../../../../runtime/restate/sdk.ts'
import { bank } from './bank.ts'

const { Tool } = bank()
/** What an invocation with an input of so many bytes can record. */
const withInput = (bytes: number) =>
  restateRecord({ request: () => ({ body: new Uint8Array(bytes) }) } as unknown as RestateContext)
const writing = async (output: string) => ({
  ...(await Tool.run({ _tool: 'add', left: 1, right: 2, _outputPath: '†state.a' })),
  output,
})

test.each([
  ['ASCII', 'x'.repeat(32_100_000)],
  ['of few characters and many bytes', '語'.repeat(10_900_000)],
])(
  'DUR-2 an output that a server would not take (%s) is an invalid one, and nothing is written',
  async (_, text) => {
    const kept = keepOutcome(await writing(text), withInput(0))
    expect(kept).toMatchObject({
      status: 'failed',
      appended: [],
      error: {
        code: 'invalid_output',
        message: expect.stringMatching(/takes 32\d{6} bytes as JSON .* Restate keeps 32000000/),
      },
    })
    expect(kept).not.toHaveProperty('output')
  },
)

test('what it takes is kept as it is', async () => {
  const outcome = await writing('語'.repeat(1_000_000))
  expect(keepOutcome(outcome, withInput(0))).toEqual(outcome)
})

test('DUR-2 what fits alone, and not together with the input, is an invalid output', async () => {
  const outcome = await writing('x'.repeat(20_000_000))
  expect(keepOutcome(outcome, withInput(10_000_000)).status).toBe('succeeded')
  expect(keepOutcome(outcome, withInput(14_000_000)).error?.message).toContain('Restate keeps 18000000')
})

test.each([
  ['x'.repeat(14_000_000), undefined],
  ['x'.repeat(16_000_000), /The Call of "note", .* takes 160000\d\d bytes .* Restate accepts 15000000/],
  ['語'.repeat(6_000_000), /takes 180000\d\d bytes/],
])('DUR-2 a Call that is too large is refused before it is sent', (line, problem) => {
  const send = () => requireSmallRequest({ call: { _tool: 'note', line }, id: 'a' })
  if (problem) expect(send).toThrow(problem)
  else expect(send).not.toThrow()
})
