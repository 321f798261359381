import { branch, type Call, createRegistry, isCallsheetError, type Message, message } from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPath, type Path, parseExpression } from '../../runtime/context/reference.ts'
import { fuzz } from './campaign.ts'
import { type Fate, modelPlan, Said, Taken } from './plan-model.ts'

const place = fc.constantFrom('a', 'a.x', 'a.x.y', 'a.w', 'b', 'b.x', 'c').map((name) => `†state.${name}`)
const places = fc.oneof(place, place, fc.constantFrom('†state', '†note.a'))
const joined = (...between: string[]) =>
  fc.tuple(places, fc.constantFrom(...between), places).map((parts) => parts.join(' '))
const instance = fc.constantFrom(undefined, undefined, undefined, 'i', 'j')

const call = fc
  .record({
    _tool: fc.constant('step'),
    does: fc.constantFrom('map', 'map', 'list', 'text', 'nested', 'fail', 'fail', 'branch', 'message'),
    of: fc.oneof(fc.constant(undefined), places, places, joined('||', '&&', '&&')),
    _outputPath: fc.oneof(fc.constant(undefined), places, places, places, joined('||', '&&')),
    _outputMethod: fc.constantFrom(undefined, undefined, undefined, 'push', 'concat', 'merge', 'assign'),
    _instance: instance,
  })
  .map((given): Call => JSON.parse(JSON.stringify(given)))

const held = fc.record({
  type: fc.constant('data' as const),
  kind: fc.constantFrom('state', 'state', 'note'),
  data: fc.constantFrom<object>(
    { a: { x: { y: 'old' } } },
    { a: { w: 1 }, b: 2 },
    { a: ['old'] },
    { c: { x: 1 } },
  ),
  _instance: instance,
})
const context = fc
  .array(held, { maxLength: 3 })
  .map((messages): Message[] => JSON.parse(JSON.stringify(messages)))

const schema = {
  type: 'object',
  properties: {
    _tool: { const: 'step' },
    place: { type: 'integer' },
    does: { type: 'string' },
    of: {},
    _outputPath: { type: 'string' },
    _outputMethod: { enum: ['push', 'concat', 'merge', 'assign'] },
    _instance: { type: 'string' },
    _output: {},
  },
  required: ['_tool', 'place', 'does'],
  additionalProperties: false,
}

function act({ place, does, _outputPath }: Call): unknown {
  // The last of its alternatives; the output, where it has none.
  const count = typeof _outputPath === 'string' ? _outputPath.split('||').length : 0
  if (does === 'branch' && count > 0) return new Taken(count - 1, { by: place })
  if (does === 'message') {
    const data = place === 0 ? { a: { x: { by: place } } } : { b: { by: place } }
    return new Said({ type: 'data', kind: 'state', data, _path: place === 0 ? '†state.a.x' : '†state.b' })
  }
  const outputs = {
    map: { by: place },
    list: [place],
    text: `by ${place}`,
    branch: { by: place },
    nested: { x: { y: place }, w: place },
  }
  return outputs[does as keyof typeof outputs]
}

const fixable = ['_outputPath', '_outputMethod', '_instance']

/** A Tool that fixes what a Call says of where its output goes. */
function fixingTool(call: Call): [string, object] {
  const said = Object.entries(call).filter(([name]) => fixable.includes(name))
  const fixed = Object.fromEntries(said.map(([name, value]) => [name, { const: value }]))
  const name = `step${call.place}`
  return [name, { ...schema, properties: { ...schema.properties, _tool: { const: name }, ...fixed } }]
}

/** The Call of that Tool, which leaves it out. */
function leavingOut(call: Call): Call {
  const left = Object.entries(call).filter(([name]) => !fixable.includes(name))
  return { ...Object.fromEntries(left), _tool: `step${call.place}` }
}

const seenFates = new Set<string>()

fuzz(
  'REQ-10, CALL-11 a plan comes to what a model of the specification comes to',
  400,
  fc.record({
    calls: fc.array(call, { minLength: 1, maxLength: 6 }),
    base: context,
    concurrency: fc.constantFrom(undefined, 1),
    isFixed: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  }),
  async ({ calls: given, base, concurrency, isFixed }) => {
    const calls = given.map((each, place): Call => ({ ...each, place }))
    const fixing = calls.filter((_, place) => isFixed[place]).map(fixingTool)
    const { Tool, Activity } = createRegistry({ tools: { step: schema, ...Object.fromEntries(fixing) } })
    const seen = new Map<number, unknown>()
    const implementation = (call: Call & { readonly place: number }): unknown => {
      expect(seen.has(call.place)).toBe(false)
      seen.set(call.place, call.of)
      const output = act(call)
      if (output instanceof Said) return message(output.message)
      if (output instanceof Taken) {
        const paths = parseExpression(call._outputPath as string)?.alternatives.at(-1) ?? []
        return branch(formatPath(paths[0] as Path), output.data)
      }
      if (output === undefined) throw new Error('failure')
      return output
    }
    for (const name of Tool.names) Activity.register(name, implementation as never)
    const run = calls.map((each, place) => (isFixed[place] ? leavingOut(each) : each))
    const result = await Tool.plan(run, {
      context: base,
      ...(concurrency !== undefined && { concurrency }),
    }).catch((error: unknown) => {
      if (isCallsheetError(error)) return undefined
      throw error
    })
    const wanted = modelPlan(calls, base, act)
    const fates = result?.outcomes.map((outcome, place): Fate => {
      if (!outcome) return { status: 'blocked' }
      const status = outcome.status === 'succeeded' ? 'succeeded' : 'failed'
      return { status, ...(seen.has(place) && { of: seen.get(place) }) }
    })
    for (const { status } of fates ?? []) seenFates.add(status)
    expect(fates).toEqual(wanted)
  },
)

test('the plans above ended in every way', () => {
  expect([...seenFates].sort()).toEqual(['blocked', 'failed', 'succeeded'])
})
