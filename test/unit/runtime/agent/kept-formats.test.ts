import type { ComposableTool, Message, Registry, ToolSchema } from 'callsheet'
import {
  Agent,
  type ExecutorFactory,
  Idea,
  inProcessExecutor,
  Request,
  type RequestOptions,
} from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { registryWithTools, tools } from './tools.ts'

const output = { type: 'string' } as const

/** Sends a Request, and returns its body without the model's. */
async function sent(options: Partial<RequestOptions>): Promise<string> {
  const client = scriptedModel([{ calls: [{ _tool: 'judge' }] }])
  await Request({ model: 'm', client, output, ...options })
  return JSON.stringify(client.requests[0]?.body)
}

/** The same Tools with schemas that are not frozen, for which nothing is kept. */
function unkept({ Tool }: Registry): RequestOptions['tools'] {
  return {
    composable: (context) =>
      Tool.composable(context).map((tool) => ({ ...tool, schema: structuredClone(tool.schema) })),
    composeOptions: () => Tool.composeOptions(),
    get: (name) => Tool.get(name),
    names: Tool.names,
  }
}

const data = (value: unknown, meta: object = {}): Message => ({
  type: 'data',
  kind: 'state',
  data: { value },
  ...meta,
})
const echo = (name: string): ToolSchema => ({
  type: 'object',
  properties: { _tool: { const: name }, text: { type: 'string' }, _output: { type: 'string' } },
  required: ['_tool', 'text'],
})
const later = echo('later')
const guest: Message = { type: 'tool', tool: echo('guest') }
const idea = new Idea({ schema: { type: 'string' }, context: [{ type: 'text', text: 'Say it.' }] })

/** Changes of a registry between two turns. */
const changes: Record<string, (registry: Registry) => unknown> = {
  'a Tool is registered': ({ Tool }) => Tool.register('later', later),
  'a Tool is replaced': ({ Tool }) => Tool.register('judge', { ...tools.judge, description: 'Other.' }),
  'a Tool is removed': ({ Tool }) => Tool.unregister('pay'),
  'an Activity is registered (ACT-3)': ({ Activity }) => Activity.register('judge', () => ({ good: true })),
  'an Activity is removed (ACT-3)': ({ Activity }) => Activity.unregister('add'),
  'a Tool is off (TOOL-9)': ({ Tool }) => Tool.register('add', tools.add, { enabled: () => false }),
  'an Idea is registered': ({ Tool }) => Tool.fromIdea('say', idea),
}

/** Other Requests with the same Tools. */
const others: Record<string, Partial<RequestOptions>> = {
  'readable data (REF-5)': { context: [data(3)] },
  'other readable data (REF-5)': { context: [data(true), data('x', { _instance: 'a' })] },
  'a Tool of the context': { context: [guest] },
  'a selection (REQ-15)': { only: ({ name }) => name !== 'pay' },
  'another selection (REQ-15)': { without: ({ name }) => name === 'judge' },
  'another goal': { output: { type: 'number' } },
  'no goal': { output: undefined },
  'another dialect': { dialect: 'json-schema' },
  'native tools': { mode: 'native' },
  'another API': { mode: 'native', api: 'responses' },
  'no References': { context: [data(3)], references: 'none' },
  'nested References': { context: [data(3)], references: 'deep' },
  predictions: { explicitOutput: 'keep' },
  'predictions in front': { explicitOutput: 'keep', outputPosition: 'meta' },
}

describe('ACT-3, REQ-7: what is offered is composed from what there is now', () => {
  test.each(Object.keys(changes))('%s', async (name) => {
    const registry = registryWithTools()
    const before = await sent({ tools: registry.Tool })
    changes[name]?.(registry)
    const after = await sent({ tools: registry.Tool })
    expect(after).toBe(await sent({ tools: unkept(registry) }))
    expect(after).not.toBe(before)
  })

  test.each(Object.keys(others))('%s', async (name) => {
    const registry = registryWithTools()
    const before = await sent({ tools: registry.Tool })
    const other = await sent({ tools: registry.Tool, ...others[name] })
    expect(other).toBe(await sent({ tools: unkept(registry), ...others[name] }))
    expect(other).not.toBe(before)
    expect(await sent({ tools: registry.Tool })).toBe(before)
  })

  test('all of them in turn', async () => {
    const registry = registryWithTools()
    for (const change of Object.values(changes)) {
      change(registry)
      for (const [name, options] of Object.entries(others)) {
        const got = await sent({ tools: registry.Tool, ...options })
        expect(got, name).toBe(await sent({ tools: unkept(registry), ...options }))
      }
    }
  })

  test('an executor that changes the schema that it receives does not change the next Vessel', async () => {
    const { Tool } = registryWithTools()
    const vesselOf = async (): Promise<string> => {
      const client = scriptedModel([{ output: 'x' }])
      return JSON.stringify((await Request({ model: 'm', client, output, tools: Tool })).vessel.schema)
    }
    const before = await vesselOf()
    const client = scriptedModel([{ output: 'x' }])
    const executor: ExecutorFactory = (perform) =>
      inProcessExecutor(async (...step) => {
        const outcome = await perform(...step)
        empty((outcome.output as { schema: object }).schema)
        return outcome
      })
    await Agent({ model: 'm', client, output, tools: Tool, executor })
    expect(await vesselOf()).toBe(before)
  })

  test('a client that changes what it sends does not change the next Request', async () => {
    const { Tool } = registryWithTools()
    for (const mode of ['composed', 'native'] as const) {
      const before = await sent({ tools: Tool, mode })
      const client = {
        chat: {
          completions: {
            create: async (body: Record<string, unknown>) => {
              const { tools: list = [], response_format } = structuredClone(body) as {
                tools?: object[]
                response_format?: object
              }
              empty(body.tools)
              empty(body.response_format)
              expect([list, response_format]).not.toEqual([body.tools ?? [], body.response_format])
              return { choices: [{ message: { content: '{"calls":[],"output":"x"}' } }] }
            },
          },
        },
      }
      await Request({ model: 'm', client, output, tools: Tool, mode })
      expect(await sent({ tools: Tool, mode })).toBe(before)
    }
  })
})

/** Empties everything within a value. */
function empty(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    empty(part)
    Reflect.deleteProperty(value, name)
  }
}

describe('the Tools are composed once for all turns', () => {
  test.each([{ mode: 'composed' }, { mode: 'native' }] as const)('%j', async (options) => {
    const { Tool } = registryWithTools()
    let reads = 0
    const count: typeof Reflect.get = (...read) => {
      reads++
      return Reflect.get(...read)
    }
    const counted = new Map<ToolSchema, ToolSchema>()
    // A Request reads the properties of a schema several times to compose it.
    const schemaOf = ({ schema }: ComposableTool): ToolSchema => {
      const known = counted.get(schema) ?? new Proxy(schema, { get: (...read) => count(...read) })
      counted.set(schema, known)
      return known
    }
    const composable: typeof Tool.composable = (...given) =>
      Tool.composable(...given).map((tool) => ({ ...tool, schema: schemaOf(tool) }))
    const calls = [{ _tool: 'add', left: 1, right: 2 }]
    const perTurn: number[] = []
    await Agent({
      model: 'm',
      client: scriptedModel([...Array.from({ length: 4 }, () => ({ calls })), { output: 'done' }]),
      tools: {
        ...Tool,
        get: Tool.get,
        run: Tool.run,
        names: Tool.names,
        composeOptions: Tool.composeOptions,
        composable,
      },
      output,
      onTurn: () => perTurn.push(reads),
      ...options,
    })
    const [first = 0, ...others] = perTurn
    expect(first).toBeGreaterThan(20)
    expect(others).toEqual(others.map(() => first))
  })
})
