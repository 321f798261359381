import { branch, createRegistry, message, type Outcome } from 'callsheet'
import { remoteActivities, toolServer } from 'callsheet/server'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'

const text = { type: 'string' } as const

function registry(output: object | undefined) {
  const properties = {
    _tool: { const: 'get' },
    _instance: text,
    _outputPath: text,
    _outputMethod: { enum: ['set', 'assign', 'merge', 'concat', 'push'] },
    ...(output && { _output: output }),
  }
  return createRegistry({
    tools: { get: { type: 'object', effects: 'read', properties, required: ['_tool'] } },
  })
}

const segment = fc.constantFrom('a', 'b', 'c.d', "'odd key'", 'list.0')
const path = fc.tuple(fc.constantFrom('state', 'audit'), segment).map(([kind, rest]) => `†${kind}.${rest}`)
/** No path twice: which alternative was taken can only be told by its paths. */
const outputPath = fc
  .uniqueArray(fc.record({ path, joined: fc.constantFrom(' || ', ' && ') }), {
    minLength: 1,
    maxLength: 5,
    selector: (each) => each.path,
  })
  .map((parts) => parts.map(({ path, joined }, place) => (place === 0 ? path : joined + path)).join(''))

const value = fc.oneof(
  fc.constantFrom('s', null, 0, '', '†state.a', [1], { x: { y: 1 } }),
  fc.constantFrom({ type: 'text', text: 'x' }, { type: 'plan', plan: [{ _tool: 'get' }] }),
)

/** What an Activity returns, by the way that it returns it. */
const returned = fc.oneof(
  value,
  value.map((data) => message({ type: 'data', kind: 'state', data: { a: data } })),
  fc.constant(message({ type: 'text', text: 'said' })),
  fc
    .tuple(fc.constantFrom('a', 'b', 'd', 'odd key', '0', '†audit.a', 'none'), value)
    .map(([name, data]) => branch(name, data)),
)

/** An Outcome without what each run has of its own. */
function comparable({ status, output, message: said, error, appended }: Outcome) {
  const own = (text: string) => text.replaceAll(/At http:\S+: /g, '')
  const written = JSON.parse(
    own(JSON.stringify(appended, (key, each) => (key === '_date' ? undefined : each))),
  )
  return { status, output, kind: said?.type, code: error?.code, written: status === 'failed' ? [] : written }
}

fuzz(
  'ACT-6, SERVE-4 what an Activity returns at a worker is the output, and is written, as if it ran here',
  300,
  fc.record({
    output: fc.constantFrom(undefined, {}, text, { type: 'object' }),
    call: fc.record(
      {
        _outputMethod: fc.constantFrom('set', 'assign', 'merge', 'concat', 'push'),
        _instance: fc.constant('i'),
      },
      { requiredKeys: [] },
    ),
    // Without a path a branch has no alternative to choose, and is a Message.
    returned: fc.record({ path: outputPath, value: returned }, { requiredKeys: ['value'] }),
  }),
  async ({ output, call: members, returned }) => {
    const call = { ...members, ...(returned.path !== undefined && { _outputPath: returned.path }) }
    const worker = registry(output)
    worker.Activity.register('get', () => returned.value)
    const server = toolServer(worker.Tool)
    const agent = registry(output)
    remoteActivities('http://localhost', {
      ...agent,
      fetch: (url, init) => server.fetch(new Request(url, init)),
    })
    const context = [{ type: 'data', kind: 'state', data: { list: [1] }, _instance: 'i' }] as const
    const run = async ({ Tool }: typeof agent) =>
      comparable(await Tool.run({ _tool: 'get', ...call }, { context }))
    const there = await run(agent)
    const here = await run(worker)
    expect(there).toEqual(here)
  },
)
