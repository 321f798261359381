import { describe, expect, test } from 'vitest'
import type { Call, Message } from '../../../../runtime/context/message.ts'
import { isCallsheetError } from '../../../../runtime/errors.ts'
import { type PlanOptions, plan } from '../../../../runtime/plan/plan.ts'
import { planOf } from '../../../../runtime/registry/plan-of.ts'

const weather: Call = { _tool: 'weatherCheck', location: '†input.city', _outputPath: '†state.forecast' }
const advise: Call = { _tool: 'advise', forecast: '†state.forecast', _outputPath: '†state.advice' }

const tools = {
  weatherCheck: {
    properties: { _tool: {}, location: {}, _outputPath: {}, _from: {} },
    parameters: ['_from'],
    additionalProperties: false,
  },
  advise: { properties: { _tool: {}, forecast: {}, _outputPath: {} }, additionalProperties: false },
}

const declared = {
  kinds: {
    state: {
      type: 'object',
      required: ['user', 'list'],
      properties: {
        user: { $ref: '#/$defs/User' },
        list: { type: 'array', items: { type: 'string' } },
        forecast: { type: 'object' },
        advice: { type: 'string' },
        open: { type: 'object', properties: { known: {} }, additionalProperties: true },
      },
    },
  },
  definitions: {
    User: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, age: {} } },
    Loop: { $ref: '#/$defs/Loop' },
  },
}

/** The error that making the plan throws. */
function refused(calls: readonly unknown[], options?: PlanOptions) {
  try {
    plan(calls as Call[], options)
  } catch (error) {
    if (isCallsheetError(error)) return error
    throw error
  }
  throw new Error('The plan was accepted.')
}

describe('TYPE-3 a plan that is checked when it runs', () => {
  test('knows who waits for whom, in whatever order it is listed', () => {
    expect(plan([weather, advise]).waitsFor).toEqual([[], [0]])
    expect(plan([advise, weather]).waitsFor).toEqual([[1], []])
    expect(plan().step(weather).step(advise).waitsFor).toEqual([[], [0]])
    expect(plan().calls).toEqual([])
  })

  test('copies its Calls, and makes a Message that is nobody’s but the reader’s', () => {
    const given = { ...weather, deep: { a: [1] } }
    const made = plan([given])
    given.deep.a.push(2)
    expect(made.calls).toEqual([{ ...weather, deep: { a: [1] } }])
    const message = made.message('lazy')
    expect(message).toEqual({ type: 'plan', plan: [{ ...weather, deep: { a: [1] } }], mode: 'lazy' })
    ;(message.plan[0] as Call)._tool = 'other'
    expect(made.calls[0]?._tool).toBe('weatherCheck')
    expect(made.message().mode).toBe('eager')
  })

  const accepted: [what: string, calls: Call[], options: PlanOptions][] = [
    [
      'what the state is declared to have',
      [{ _tool: 't', a: '†state.user.name', b: '†state.list.3' }],
      { declared },
    ],
    [
      'what an open object may have',
      [{ _tool: 't', a: '†state.open.any' }, { ...advise, _outputPath: 'open.x' }, weather],
      { declared },
    ],
    [
      'what the context has',
      [{ _tool: 't', a: '†state.x' }],
      { context: [{ type: 'state', state: { x: 1 } }] },
    ],
    ['one alternative', [weather, { _tool: 't', a: '†state.missing || †state.forecast' }], {}],
    ['text that looks like a Reference', [{ _tool: 't', a: '††state.x', b: '† see below' }], {}],
    ['other kinds', [{ _tool: 't', a: '†input.x', b: '†result.0' }], {}],
    ['parameters with an underscore', [{ ...weather, _from: 'here' }], { tools }],
    [
      'meta-fields, whose texts refer to nothing',
      [{ ...weather, _reasoningForCall: '†state.none' }],
      { tools },
    ],
  ]
  test.each(accepted)('accepts %s', (_, calls, options) => {
    expect(plan(calls, options).calls).toHaveLength(calls.length)
  })

  const wrong: [what: string, calls: unknown[], options: PlanOptions, code: string, ...tells: string[]][] = [
    [
      'what nobody writes',
      [advise],
      {},
      'unresolved_reference',
      '/0/forecast',
      'no Call writes †state.forecast',
    ],
    [
      'one of two that nobody writes',
      [weather, { _tool: 't', a: ['†state.forecast && †state.b'] }],
      {},
      'unresolved_reference',
      '/1/a/0',
      '†state.b',
    ],
    [
      'what is declared and optional',
      [{ _tool: 't', a: '†state.user.age' }],
      { declared },
      'unresolved_reference',
      '†state.user.age',
    ],
    [
      'a path that is not declared',
      [{ _tool: 't', a: '†state.user.nmae' }],
      { declared },
      'invalid_path',
      'nothing is called "nmae"',
      'Did you mean "name"?',
    ],
    [
      'an output path that is not declared',
      [{ ...weather, _outputPath: '†state.forcast' }],
      { declared },
      'invalid_path',
      '/0/_outputPath',
      'Did you mean "forecast"?',
    ],
    [
      'an output path that is none',
      [{ ...weather, _outputPath: '†state.' }],
      {},
      'invalid_path',
      '"†state."',
    ],
    [
      'an output path to what is never data',
      [{ ...weather, _outputPath: '†state.__proto__.x' }],
      {},
      'invalid_path',
      '__proto__',
    ],
    ['an output path that is no text', [{ ...weather, _outputPath: 1 }], {}, 'invalid_path', 'got 1'],
    [
      'an unknown Tool',
      [{ _tool: 'wetherCheck' }],
      { tools },
      'unknown_tool',
      '"wetherCheck"',
      'Did you mean "weatherCheck"',
    ],
    [
      'a Tool that only a prototype has',
      [{ _tool: 'constructor' }],
      { tools },
      'unknown_tool',
      '"constructor"',
    ],
    [
      'an unknown parameter',
      [{ ...weather, lcation: 1 }],
      { tools },
      'invalid_call',
      '/0/lcation',
      'Did you mean "location"?',
    ],
    ['what is no Call', [weather, 'x', { tool: 1 }], {}, 'invalid_call', '/1:', '/2:'],
    ['a circle', [{ ...weather, location: '†state.advice' }, advise], {}, 'plan_cycle', 'weatherCheck'],
    [
      'a Call that waits for itself',
      [{ _tool: 't', a: '†state.b', _outputPath: '†state.b' }],
      {},
      'plan_cycle',
      't',
    ],
  ]
  test.each(wrong)('refuses %s', (_, calls, options, code, ...tells) => {
    const error = refused(calls, options)
    expect(error.code).toBe(code)
    for (const fragment of tells) expect(error.message).toContain(fragment)
  })

  test('reports every problem at once', () => {
    const error = refused(
      [
        { _tool: 'weatherChek', a: '†state.x' },
        { ...advise, forcast: 1 },
      ],
      { tools, declared },
    )
    expect(error.problems?.map(({ path }) => path)).toEqual(['/0/_tool', '/0/a', '/1/forcast', '/1/forecast'])
    expect(error.suggestions).toContain('weatherCheck')
  })

  test('follows references of a schema that go in a circle no further than once round', () => {
    const circular = { kinds: { state: { $ref: '#/$defs/Loop' } }, definitions: declared.definitions }
    expect(plan([{ _tool: 't', a: '†state.x' }], { declared: circular }).calls).toHaveLength(1)
  })

  test('a project’s plan knows its Tools and its context', () => {
    const ours = planOf(tools, JSON.stringify(declared))
    expect(ours([weather, advise]).waitsFor).toEqual([[], [0]])
    expect(() => ours([{ _tool: 'mail' }])).toThrow('expected the name of a Tool')
    expect(() => ours.from([{ ...weather, _outputPath: '†state.nope' }])).toThrow('nothing is called "nope"')
    expect(() => planOf(tools)([{ ...weather, _outputPath: '†state.nope' }])).not.toThrow()
  })

  test('CALL-11 knows the Tools that its context brings as well', () => {
    const schema = { type: 'object', properties: { _tool: { const: 'brought' } } } as const
    const context: Message[] = [{ type: 'tool', tool: { ...schema, additionalProperties: false } }]
    expect(plan([{ _tool: 'brought' }], { tools, context }).calls).toHaveLength(1)
    expect(refused([{ _tool: 'brought' }], { tools }).code).toBe('unknown_tool')
    expect(refused([{ _tool: 'brought', more: 1 }], { tools, context }).problems?.[0]?.path).toBe('/0/more')
  })

  test('CALL-12 what is no list of Calls is refused as what it is', () => {
    const refused = expect.objectContaining({ code: 'invalid_call' })
    expect(() => plan('x' as unknown as Parameters<typeof plan>[0])).toThrow(refused)
  })

  test('a plan of a thousand Calls in a row is made without hanging', () => {
    const calls = Array.from({ length: 1000 }, (_, index) => ({
      _tool: 't',
      a: index === 0 ? 1 : `†state.s${index - 1}`,
      _outputPath: `†state.s${index}`,
    }))
    const start = performance.now()
    expect(plan(calls).waitsFor[999]).toEqual([998])
    expect(performance.now() - start).toBeLessThan(50_000)
  })
})
