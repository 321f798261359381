import { expect, test } from 'vitest'
import { keepOutcome } from '../../../../runtime/durable/keep-outcome.ts'
import { restateRecord } from '../../../../runtime/restate/limits.ts'
import { bank } from './bank.ts'

const { Tool } = bank()
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
    const kept = keepOutcome(await writing(text), restateRecord)
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
  expect(keepOutcome(outcome, restateRecord)).toEqual(outcome)
})
