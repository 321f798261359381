import { type Call, createContext, createRegistry, isCallsheetError, type Outcome, tool } from 'callsheet'
import { Agent, LoopError } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isJsonObject } from '../../runtime/json/json.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'

const names = ['a', 'b', 'c'] as const
type Name = (typeof names)[number]

/** The Tool of a name; a later version has one parameter more. */
const declared = (name: Name, version: number) =>
  tool(
    name,
    {
      value: {},
      _outputPath: { type: 'string' },
      ...Object.fromEntries(Array.from({ length: version }, (_, index) => [`more${index}`, {}])),
      _output: {},
    },
    { effects: 'read' },
  )

/** What a Call changes while it runs, and after how many ticks. */
const change = fc.record({
  during: fc.nat(3),
  ticks: fc.nat(2),
  name: fc.constantFrom(...names),
  what: fc.constantFrom('off', 'on', 'removed', 'replaced', 'same', 'no function', 'function', 'fails'),
})

const calls = fc.array(
  fc
    .record({
      _tool: fc.constantFrom(...names),
      value: fc.constantFrom<unknown>(1, '†state.a', '†state.b', '†state.c'),
      isWritten: fc.boolean(),
    })
    .map(
      ({ isWritten, ...call }): Call => ({
        ...call,
        ...(isWritten && { _outputPath: `†state.${call._tool}` }),
      }),
    ),
  { minLength: 1, maxLength: 6 },
)

/** A registry whose Tools and functions change, and what each is at the moment. */
function changingRegistry(isShared: boolean) {
  const first = createRegistry({ tools: Object.fromEntries(names.map((name) => [name, declared(name, 0)])) })
  // The schemas of one registry may be those of another, which must not see what changes here.
  const of = (schema: object): string => names.find((name) => schema === first.Tool.get(name)) ?? ''
  const tools = Object.fromEntries(first.Tool.list().map((schema) => [of(schema), schema]))
  const { Tool, Activity } = isShared ? createRegistry({ tools }) : first
  const now = Object.fromEntries(
    names.map((name) => [name, { version: 0, isThere: true, body: 0 as number | undefined }]),
  ) as Record<Name, { version: number; isThere: boolean; body: number | undefined }>
  const declare = (name: Name, enabled: boolean): void => {
    Tool.register(name, declared(name, now[name].version), { enabled })
    now[name].isThere = enabled
  }
  return { Tool, Activity, now, declare, first }
}

const seen = { began: 0, refused: 0 }

fuzz(
  'TOOL-9, ACT-3 Tools and Activities change while Calls run: what begins is what there is then, and each is told once',
  800,
  fc.record({
    calls,
    changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    way: fc.constantFrom('all', 'all', 'all', 'any', 'race', 'plan', 'one by one', 'agent', 'early'),
    concurrency: fc.constantFrom(undefined, 1, 2),
    isConfirmed: fc.boolean(),
    isRetried: fc.boolean(),
    isShared: fc.boolean(),
  }),
  async ({ calls, changes, way, concurrency, isConfirmed, isRetried, isShared }) => {
    const { Tool, Activity, now, declare, first } = changingRegistry(isShared)
    const wrong: string[] = []
    let began = 0
    let bodies = 0
    const apply = (during: number, ticks: number): void => {
      for (const { name, what, ...when } of changes) {
        if (when.during !== during || when.ticks !== ticks) continue
        const state = now[name]
        if (what === 'off' || what === 'on') declare(name, what === 'on')
        else if (what === 'removed') state.isThere = Tool.unregister(name) && false
        else if (what === 'replaced') {
          state.version++
          declare(name, true)
        } else if (what === 'same') declare(name, true)
        else if (what === 'no function') {
          Activity.unregister(name)
          state.body = undefined
        } else if (what === 'function') register(name)
        else throw new Error('fails')
      }
    }
    const register = (name: Name): void => {
      const body = bodies++
      now[name].body = body
      const run = async (call: Call, schema: unknown): Promise<unknown> => {
        const number = began++
        const { isThere, version, body: current } = now[name]
        const count = Object.keys(declared(name, version).properties).length
        const has = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
        if (!isThere) wrong.push(`${name} began, and is not there`)
        if (current !== body) wrong.push(`${name} began with an earlier function`)
        if (Object.keys(has).length !== count) wrong.push(`${name} began with an earlier schema`)
        // Calls that begin in the same tick cannot stop each other before the first wait.
        if (isConfirmed || concurrency === 1) apply(number, 0)
        for (const ticks of [1, 2]) {
          await undefined
          apply(number, ticks)
        }
        return call.value
      }
      Activity.register(name, run, { replace: true })
    }
    for (const name of names) register(name)
    // Without a listener, a warning is printed.
    Tool.on('activity:latent', () => {})

    const context = createContext([{ type: 'state', state: { a: 0, b: 0, c: 0 } }])
    const retry = isRetried ? { retry: { attempts: 2 } } : {}
    const options = {
      ...(concurrency !== undefined && { concurrency }),
      ...(isConfirmed && { confirm: async () => true as const }),
    }
    const told: Outcome[] = []
    const tell = { onOutcome: (outcome: Outcome): void => void told.push(outcome) }
    try {
      if (way === 'one by one')
        for (const call of calls) told.push(await Tool.run(call, { context, ...options, ...retry }))
      else if (way === 'agent' || way === 'early') {
        const turns = [{ calls }, { calls }, { output: 'done' }, { output: 'done' }]
        const given = { model: 'm', client: scriptedModel(turns), tools: Tool, context: context.messages }
        const run = {
          ...given,
          ...options,
          run: retry,
          output: { type: 'string' },
          stream: way === 'early',
        } as const
        told.push(...(await Agent(run)).outcomes)
      } else if (way === 'plan') await Tool.plan(calls, { context, ...options, ...retry, ...tell })
      else await Tool[way](calls, { context, ...options, ...retry, ...tell })
    } catch (thrown) {
      if (thrown instanceof LoopError) told.push(...thrown.result.outcomes)
      else expect(isCallsheetError(thrown) || thrown instanceof AggregateError).toBe(true)
    }

    expect(wrong).toEqual([])
    const ran = told.filter(({ mode }) => mode === 'explicit')
    expect(ran.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(began)
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
    for (const { error } of told) expect(error?.code).not.toBe('internal')
    if (isShared) expect(first.Tool.names).toEqual([...names])
    seen.began += began
    seen.refused += told.filter(({ attempts, status }) => attempts === 0 && status !== 'succeeded').length
  },
)

test('Calls began, and others were refused', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(100))
})
