import { createRegistry, tool } from 'callsheet'
import { Agent, Request } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'

const text = { type: 'string' }
const found = {
  type: 'object',
  properties: { place: text, line: { type: 'integer' } },
  required: ['place'],
  additionalProperties: false,
}

/** Runs an agent over native tools whose model says `first`, and what was asked for once it is asked again. */
async function run(first: string, output: object = found) {
  const { Tool, Activity } = createRegistry({ tools: { look: tool('look', { at: text, _output: text }) } })
  Activity.register('look', ({ at }) => at)
  const client = scriptedModel([{ text: first }, { text: '{"output":{"place":"asked again"}}' }])
  const ended = await Agent({ model: 'm', client, tools: Tool, mode: 'native', output })
  return { output: ended.output, requests: client.requests.length }
}

describe('REQ-6 the goal beside native tools', () => {
  test.each([
    ['as it was asked for', '{"output":{"place":"a"}}', { place: 'a' }],
    ['without what is around it', '{"place":"a"}', { place: 'a' }],
    ['with a null for what is absent', '{"place":"a","line":null}', { place: 'a' }],
  ])('%s', async (_, said, output) => {
    expect(await run(said)).toEqual({ output, requests: 1 })
  })

  test.each([
    ['another object', '{"x":1}'],
    ['the goal, misspelt', '{"output":{"plaec":"a"}}'],
    ['a tool call in words', '<tool_call>{"name":"look","arguments":{"at":"a"}}</tool_call>'],
    ['a composed answer', '{"calls":[{"_tool":"look","at":"a"}],"output":null}'],
    ['a composed answer with the goal', '{"calls":[{"_tool":"look","at":"a"}],"output":{"place":"a"}}'],
  ])('%s is asked for again, and nothing of it is dropped without a word', async (_, said) => {
    expect(await run(said)).toEqual({ output: { place: 'asked again' }, requests: 2 })
  })
})

describe('REQ-6a text for people beside native tools', () => {
  const code = 'Run:\n```sh\nls {a,b} `c`\n```\n'
  test.each([
    ['a goal in a fence', 'Here:\n```json\n{"output":"It works."}\n```', 'Here:It works.'],
    ['a goal in a fence without words', '```\n\n{ "output":"It works."}\n```\nSo long.', 'It works.'],
    ['a goal behind its fence, at once', '```{"output":"It works."}```', 'It works.'],
    ['a goal after a fence of the text', `${code}Then {"output":"It works."}`, `${code}ThenIt works.`],
    ['a goal in a fence after one', `${code}\`\`\`json\n{"output":"It works."}`, `${code.trim()}It works.`],
    ['a goal with characters of two halves', '{"output":"\\ud83d\\ude00 works."}', '\u{1f600} works.'],
    ['text alone', `A \`\`\`b\`\`\` c \`\`d\`\` {\`e\`} \`\`\`\` f \`\`\`\` ${code}g`, undefined],
    ['text that ends with a fence', code.trim(), undefined],
  ])('%s, wherever it is cut', async (_what, said, shown) => {
    const { Tool } = createRegistry({ tools: { look: tool('look', { at: text }) } })
    for (const size of [1, 2, 3, 7, 1000]) {
      const pieces: string[] = []
      const contents = said.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
      async function* stream() {
        for (const content of contents) yield { choices: [{ index: 0, delta: { content } }] }
        yield { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
      }
      const client = { chat: { completions: { create: async () => stream() } } }
      const onText = (piece: string): void => void pieces.push(piece)
      const given = { model: 'm', client, tools: Tool, mode: 'native', output: text, stream: true } as const
      await Request({ ...given, onText, retry: { attempts: 1 } }).catch(() => {})
      expect(pieces.join('')).toBe(shown ?? said)
      expect(pieces.join('|'), 'no half of a character').not.toMatch(/\p{Surrogate}/u)
    }
  })
})
