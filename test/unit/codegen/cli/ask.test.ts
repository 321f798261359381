import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { askIn } from '../../../../codegen/cli/ask.ts'

function asking(isTerminal: boolean) {
  const input = new PassThrough()
  const answer = askIn(input, new PassThrough().resume(), 'Well? ', isTerminal)
  return { input, answer }
}

describe('a question of the command line', () => {
  test('gives the line that was answered', async () => {
    const { input, answer } = asking(true)
    input.write('yes\r')
    expect(await answer).toBe('yes')
  })

  test.each([
    ['Ctrl-C', true, (input: PassThrough) => input.write('\u0003')],
    ['Ctrl-D', true, (input: PassThrough) => input.write('\u0004')],
    ['a terminal that was closed', true, (input: PassThrough) => input.end()],
    ['an input that ends', false, (input: PassThrough) => input.end()],
  ])('%s is no answer, and no fault of Callsheet', async (_what, isTerminal, give) => {
    const { input, answer } = asking(isTerminal)
    give(input)
    await expect(answer).rejects.toMatchObject({ code: 'invalid_usage', name: 'GeneratorError' })
  })
})
