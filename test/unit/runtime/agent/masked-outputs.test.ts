import {
  branch,
  createContext,
  createRegistry,
  message,
  type Outcome,
  type RunOptions,
  tool,
} from 'callsheet'
import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'

const secret = 'hunter2'
const path = { type: 'string', '~optional': true }
const tools = {
  look: tool('look', { way: { type: 'string' }, _outputPath: path, _output: {} }),
  note: tool('note', { text: {}, _output: {} }),
}

const masked = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll(secret, '***'))

/** Replaces the secret wherever an output, a Message or the text of an error has it. */
function mask(outcome: Outcome): Outcome {
  const { output, error } = outcome
  return {
    ...outcome,
    ...('output' in outcome && { output: masked(output) }),
    ...(outcome.message && { message: masked(outcome.message) }),
    ...(error && { error: Object.assign(new Error('***'), { code: error.code }) as never }),
  }
}

async function run(way: string, outputPath: string | undefined, options: object) {
  const { Tool, Activity } = createRegistry({ tools })
  const data = { password: secret }
  Activity.register('look', ({ way: how }): unknown => {
    if (how === 'throws') throw new Error(`The password is ${secret}.`)
    if (how === 'message') return message({ type: 'data', kind: 'state', data: { look: secret } })
    if (how === 'other branch') return branch('error', data)
    return how === 'branch' ? branch('look', data) : data
  })
  const seen: unknown[] = []
  Activity.register('note', ({ text }) => {
    seen.push(text)
    return 'noted'
  })
  const client = scriptedModel([
    { calls: [{ _tool: 'look', way, ...(outputPath && { _outputPath: outputPath }) }] },
    { calls: [{ _tool: 'note', text: outputPath ? '†state.look || †state.error' : 'x' }] },
    { output: 'done' },
  ])
  const context = createContext()
  const hooks: RunOptions = { after: mask }
  const output = { type: 'string' } as const
  const made = { model: 'm', client, tools: Tool, output, context, run: hooks, retry: { backoff: 0 } }
  const result = await Agent({ ...made, ...options })
  return { result, context, seen, sent: JSON.stringify(client.requests.map(({ body }) => body)) }
}

describe('CALL-10 what `after` masks reaches neither the model nor another Call nor the context', () => {
  const ways = ['returns', 'message', 'branch', 'other branch', 'throws']
  const alternatives = ['†state.look || †state.error', '†state.look || †state.error && †audit.error']
  const paths = [undefined, '†state.look', ...alternatives, '†state.look && †audit.look']
  const modes = [{}, { mode: 'native' }, { stream: true }]
  const cases = ways.flatMap((way) => paths.flatMap((at) => modes.map((mode) => [way, at, mode] as const)))

  test.each(cases)('%s, %s, %o', async (way, at, mode) => {
    const { result, context, seen, sent } = await run(way, at, mode)
    expect(result.output).toBe('done')
    const everything = JSON.stringify([result.outcomes, result.context, context.messages, seen])
    expect(sent + everything).not.toContain(secret)
    if (way !== 'throws') expect(everything).toContain('***')
  })
})
