import { describe, expect, test } from 'vitest'
import { answerJson, answerSolution } from '../../../../runtime/agent/transport/answer-json.ts'

const call = { _tool: 'add', left: 1 }
const solution = { calls: [call], output: null }
const json = JSON.stringify(solution)

describe('CALL-9 REQ-6a answers of models that nobody holds to a schema', () => {
  test.each<[string, string]>([
    ['as it is', json],
    ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['in a fence with prose around it', `Sure, here:\n\n~~~\n${json}\n~~~\nDone [1].`],
    ['in prose', `I think this: ${json} is it.`],
    ['after what it thought', `<think>\nPerhaps {"calls":[]}?\n</think>\n\n${json}`],
    ['after what it thought, whose beginning the server kept', `Or {"calls":[]}.</think>${json}`],
    ['as a string', JSON.stringify(json)],
    ['a Call alone', JSON.stringify(call)],
    ['a list of Calls', `\`\`\`\n[${JSON.stringify(call)}]\n\`\`\``],
  ])('%s', (_what, text) => expect(answerSolution(text)).toEqual(solution))

  test.each<[string, string]>([
    ['cut off', json.slice(0, -1)],
    ['cut off in a fence', `\`\`\`json\n${json.slice(0, -1)}\n\`\`\``],
    ['cut off after a whole Call', `Sure: {"calls":[${JSON.stringify(call)}`],
    ['two answers', `\`\`\`\n${json}\n\`\`\`\nor\n\`\`\`\n${json}\n\`\`\``],
    ['two answers in prose', `${json} or ${json}`],
    ['one broken block beside a whole one', `\`\`\`\n{"calls":[\n\`\`\`\n\`\`\`\n${json}\n\`\`\``],
    ['cut off in a text that ends thoughts', '{"calls":[],"output":"</think>[{}]'],
    ['nothing after what it thought', `<think>${json}</think>`],
    ['no JSON', 'Sure! [1] says {so}.'],
    ['nothing', '  \n'],
  ])('%s is refused', (_what, text) => {
    expect(() => {
      const value = answerSolution(text)
      if (value === undefined) throw new Error('answer_invalid later')
    }).toThrow()
  })

  test('data is read the same way, and a string stays a string', () => {
    expect(answerJson('```json\n{"a":1}\n```')).toEqual({ a: 1 })
    expect(answerJson('"{\\"a\\":1}"')).toBe('{"a":1}')
  })

  test('time grows with the text and no faster', () => {
    const start = performance.now()
    for (const piece of ['{', '[', '{"a":', '```\n', '{} ', '</think>']) {
      expect(() => answerJson(`x ${piece.repeat(50_000)}`)).toThrow()
    }
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
