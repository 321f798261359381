import { expect, test, vi } from 'vitest'
import type { AnswerFormat } from '../../../../runtime/agent/request/answer-format.ts'
import { textTeller } from '../../../../runtime/agent/request/text-for-people.ts'

test.each([
  ['an answer', 'Fine.', 'Fine.'],
  ['thoughts before it', '<think>Well.</think>Fine.', 'Fine.'],
])(
  'REQ-6a white space without end, then %s: looked at once, and not with each piece',
  (_what, said, shown) => {
    const format: AnswerFormat<unknown> = { mode: 'native', declared: {}, read: () => undefined }
    const texts: string[] = []
    const tell = textTeller((text) => void texts.push(text), format, 1)
    const trimming = vi.spyOn(String.prototype, 'trimStart')
    const count = 2_000
    for (let left = count; left > 0; left--) tell?.('\n')
    for (const piece of said) tell?.(piece)
    const looked = trimming.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0)
    trimming.mockRestore()
    expect(texts.join('').trimStart()).toBe(shown)
    expect(looked).toBeLessThan(2 * count)
  },
)
