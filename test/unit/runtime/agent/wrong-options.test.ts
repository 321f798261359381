import { createContext } from 'callsheet'
import { Agent, type AgentOptions, type AgentResult, Request } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { pay, registryWithTools } from './tools.ts'

const wrong: [path: string, options: object][] = [
  ['/maxTurn', { maxTurn: 3 }],
  ['/confirm', { confirm: 'ask' }],
  ['/confirm', { confirm: {} }],
  ['/confirm', { confirm: { effects: ['write'] } }],
  ['/confirm', { confirm: { effects: ['writes'], ask: () => false } }],
  ['/confirm', { confirm: { efects: ['write'], ask: () => false } }],
  ['/run/timeOut', { run: { timeOut: 5 } }],
  ['/resume/version', { resume: {} }],
  ['/early', { early: true }],
  ['/search/limits', { search: { limits: 3 } }],
]

describe('REQ-8, REQ-9 options of an agent that would silently mean something else', () => {
  test.each(wrong)('%s in %j: no model is asked, and nothing runs', async (path, options) => {
    const { Tool, ran } = registryWithTools()
    const model = scriptedModel([{ calls: [pay(5)] }, { output: 'done' }])
    const given = { model: 'm', client: model, tools: Tool, output: { type: 'string' }, ...options }
    const run = Agent(given as AgentOptions)
    await expect(run).rejects.toMatchObject({
      code: 'invalid_options',
      problems: expect.arrayContaining([expect.objectContaining({ path })]),
    })
    expect(ran).toEqual([])
    expect(model.requests).toEqual([])
  })

  test.each([
    ['a provider’s form', [{ role: 'user', content: 'Hello' }]],
    ['nothing', [null]],
    ['a text without a text', [{ type: 'text' }]],
  ])('a context of %s is refused, not sent as nothing', async (_title, context) => {
    const { Tool } = registryWithTools()
    const model = scriptedModel([{ output: 'done' }])
    const given = { model: 'm', client: model, tools: Tool, output: { type: 'string' } }
    const refused = { code: 'invalid_message', message: expect.stringContaining('Message 0') }
    await expect(Agent({ ...given, context: context as never })).rejects.toMatchObject(refused)
    await expect(Request({ ...given, context: context as never })).rejects.toMatchObject(refused)
    expect(model.requests).toEqual([])
    await Agent({ ...given, context: createContext([{ type: 'text', text: 'Hello' }]) })
    expect(model.requests).toHaveLength(1)
  })

  test('a suspended run whose context was tampered with is refused before its Calls run', async () => {
    const { Tool, ran } = registryWithTools()
    const given = { model: 'm', tools: Tool, output: { type: 'string' }, confirm: () => 'pending' as const }
    const first = Agent({ ...given, client: scriptedModel([{ calls: [pay(5)] }]) })
    const { suspended } = await first.then(
      () => expect.fail('it waits'),
      (error: { result: AgentResult }) => error.result,
    )
    if (!suspended) expect.fail('nothing to go on with')
    const decisions = suspended.approvals.map(({ id, hash }) => ({ approval: id, hash, approve: true }))
    const resume = { ...suspended, context: [{}] as never }
    const run = Agent({ ...given, client: scriptedModel([{ output: 'done' }]), resume, decisions })
    await expect(run).rejects.toMatchObject({ code: 'invalid_message' })
    expect(ran).toEqual([])
  })

  test('an answer about a plan that is no yes is no yes', async () => {
    const { Tool, ran } = registryWithTools()
    for (const answer of [undefined, null, 'yes', 1, {}]) {
      const client = scriptedModel([{ calls: [pay(5)] }, { output: 'done' }])
      const confirm = { askPlan: () => answer as never }
      const { outcomes } = await Agent({
        ...{ model: 'm', client, tools: Tool, output: { type: 'string' }, confirm },
      })
      const message = `The plan was refused: \`askPlan\` answered ${answer === undefined ? 'nothing' : JSON.stringify(answer)}, and only true approves.`
      expect(outcomes).toMatchObject([{ status: 'refused', error: { message } }])
    }
    expect(ran).toEqual([])
  })
})
