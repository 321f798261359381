import { expect, test } from 'vitest'
import { Agent } from '../../../../runtime/agent.ts'
import { createRegistry } from '../../../../runtime/create-registry.ts'
import { tool } from '../../../../runtime/schema/tool.ts'
import { scriptedModel } from '../../../../runtime/testing.ts'

interface Todo {
  text: string
  done: boolean
}

/** A list in memory, as a first program has it: what was returned is changed later. */
function todos() {
  const item = { type: 'object' } as const
  const { Tool, Activity } = createRegistry({
    tools: {
      add: tool('add', { text: { type: 'string' }, _output: item }, { effects: 'write' }),
      finish: tool('finish', { _output: item }, { effects: 'idempotent' }),
    },
  })
  const list: Todo[] = []
  Activity.register('add', ({ text }) => {
    const added = { text: String(text), done: false }
    list.push(added)
    return added
  })
  Activity.register('finish', () => Object.assign(list[0] ?? {}, { done: true }))
  return Tool
}

const add = { _tool: 'add', text: 'milk' }
const finish = { _tool: 'finish' }

test.each([
  ['in a later turn', [{ calls: [add] }, { calls: [finish] }, { output: 'ok' }]],
  ['in the same turn', [{ calls: [add, finish] }, { output: 'ok' }]],
])(
  'REQ-8 an Activity that changes what it returned %s changes nothing of the record',
  async (_when, turns) => {
    const model = scriptedModel(turns)
    const { context, outcomes } = await Agent({
      model: 'm',
      client: model,
      tools: todos(),
      output: { type: 'string' },
      concurrency: 1,
    })
    const wanted = [
      { text: 'milk', done: false },
      { text: 'milk', done: true },
    ]
    expect(outcomes.map(({ output }) => output)).toEqual(wanted)
    expect(context.map((message) => 'data' in message && message.data)).toEqual(wanted)
  },
)
