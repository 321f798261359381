import { type Call, createRegistry, isCallsheetError, tool } from 'callsheet'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'
import { hostileJson, hostileText } from './hostile-json.ts'

const { Tool } = createRegistry({
  tools: { say: tool('say', { text: { type: 'string' }, loud: { type: 'boolean' } }) },
})

const call = fc
  .tuple(hostileText, hostileJson)
  .map(
    ([name, value]) =>
      JSON.parse(`{"_tool":${JSON.stringify(name)},"value":${JSON.stringify(value)}}`) as Call,
  )
const calls = fc.array(call, { minLength: 1, maxLength: 3 })
const answer = fc
  .tuple(calls, fc.constantFrom('list', 'solution'))
  .map(([list, form]) => JSON.stringify(form === 'list' ? list : { calls: list, output: null }))

/** Around an answer; none has a bracket of its own. */
const wrapping = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `\n \t${text}\n`,
  (text) => `Sure, here you are:\n\n${text}\n\nAnything else?`,
  (text) => `\`\`\`json\n${text}\n\`\`\``,
  (text) => JSON.stringify(text),
)

fuzz(
  'CALL-9 what models wrap Calls in changes none of them',
  300,
  fc.tuple(answer, wrapping),
  ([text, wrap]) => {
    const value: unknown = JSON.parse(text)
    const want = Array.isArray(value) ? value : (value as { calls: Call[] }).calls
    // A fence within an answer, in a fence, is where Markdown ends.
    fc.pre(!text.includes('```'))
    expect(JSON.stringify(Tool.parse(wrap(text)))).toBe(JSON.stringify(want))
  },
)

fuzz('CALL-9 a truncated answer is never completed', 300, fc.tuple(answer, fc.nat()), ([text, cut]) => {
  const prefix = text.slice(0, cut % text.length)
  const parsed = attempt(prefix)
  expect(isCallsheetError(parsed)).toBe(true)
})

const edit = fc.record({
  at: fc.nat(),
  remove: fc.nat({ max: 3 }),
  insert: fc.oneof(fc.constantFrom('{', '}', '"', ',', '\\', '```', ''), hostileText),
})

fuzz(
  'CALL-9 damaged answers: Calls or a code, the same twice, nothing thrown away that was changed',
  500,
  fc.tuple(answer, wrapping, fc.array(edit, { maxLength: 4 })),
  ([text, wrap, edits]) => {
    const damaged = edits.reduce((given, { at, remove, insert }) => {
      const place = at % (given.length + 1)
      return given.slice(0, place) + insert + given.slice(place + remove)
    }, wrap(text))
    const first = attempt(damaged)
    expect(JSON.stringify(attempt(damaged))).toBe(JSON.stringify(first))
    if (Array.isArray(first)) for (const each of first) expect(typeof each._tool).toBe('string')
    else expect(['malformed_json', 'invalid_call']).toContain((first as { code: string }).code)
  },
)

fuzz(
  'CALL-9 positional arguments: a Call or a code',
  300,
  fc.oneof(
    hostileText,
    fc
      .array(fc.oneof(fc.constantFrom('(', ')', '[', ']', ',', '"x"', 'true', "'", '1', ' '), hostileText))
      .map((parts) => parts.join('')),
  ),
  (text) => {
    const parsed = attempt(text, (given) => [Tool.parse.tuple('say', given)])
    if (Array.isArray(parsed)) expect(parsed[0]?._tool).toBe('say')
    else expect(['malformed_json', 'invalid_call']).toContain((parsed as { code: string }).code)
  },
)

function attempt(text: string, parse: (text: string) => readonly Call[] = Tool.parse): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (isCallsheetError(error)) return error
    throw error
  }
}
