import { createContext, createRegistry } from 'callsheet'
import { describe, expect, test } from 'vitest'

const text = { type: 'string' }

function counting(output: unknown, properties: object = {}) {
  const { Tool, Activity } = createRegistry({
    tools: { t: { type: 'object', properties: { value: {}, ...properties, _output: {} } } },
  })
  let ran = 0
  Activity.register('t', () => {
    ran++
    return output
  })
  return { Tool, ran: () => ran }
}

function nested(levels: number, innermost: unknown = 1): unknown {
  let value: unknown = innermost
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

describe('OUT-7a what cannot be written is refused before anything runs', () => {
  const segments = (count: number, name = 'a'): string => Array(count).fill(name).join('.')
  const paths: [string, string][] = [
    ['64 segments that become 65 with their kind', segments(64)],
    ['994 characters that become 1,001 with †state.', segments(1, 'x'.repeat(994))],
    ['an alternative that does', `†state.ok || ${segments(64)}`],
    ['17 paths, each of which would get a copy', Array(17).fill('†a').join(' && ')],
  ]
  test.each(paths)('%s', async (_what, _outputPath) => {
    const { Tool, ran } = counting(1, { _outputPath: text })
    const outcome = await Tool.run({ _tool: 't', _outputPath }, { context: createContext() })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_path' }, attempts: 0 })
    expect(ran()).toBe(0)
  })

  test('the longest and deepest paths that can be stored are written', async () => {
    const sixteen = Array(16).fill('†a').join(' && ')
    for (const path of [segments(63), `†state.${segments(63)}`, segments(1, 'x'.repeat(993)), sixteen]) {
      const { Tool } = counting(nested(900), { _outputPath: text })
      const context = createContext()
      // A hook that only looks must not cost the Call its success.
      const after = () => undefined
      const outcome = await Tool.run(
        { _tool: 't', value: nested(899), _outputPath: path },
        { context, after },
      )
      expect(outcome.error).toBeUndefined()
      expect(context.messages).toHaveLength(path === sixteen ? 16 : 1)
    }
  })

  const fields: [string, object][] = [
    ['an unknown method', { _outputMethod: 'overwrite', _outputPath: 'a' }],
    ['a path that is no text', { _outputPath: 5 }],
    ['an instance that is no text', { _instance: 5 }],
    ['scopes that are no list', { _scopes: 'state' }],
  ]
  test.each(fields)('%s, although its Tool lets Calls choose', async (_what, meta) => {
    const open = {
      _outputMethod: { enum: ['set', 'push'] },
      _outputPath: text,
      _instance: text,
      _scopes: { type: 'array', items: text },
    }
    const { Tool, ran } = counting(1, open)
    const outcome = await Tool.run({ _tool: 't', ...meta }, { context: createContext() })
    expect(outcome.error?.code).toBe('invalid_call')
    expect(ran()).toBe(0)
  })
})

describe('ACT-7a nothing that ran is lost', () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  const outputs: [string, unknown][] = [
    ['a BigInt', { n: 1n }],
    ['a function', { f: () => 1 }],
    ['a symbol', Symbol('s')],
    ['NaN', [Number.NaN]],
    ['an undefined item', { list: [1, undefined] }],
    ['a hole', new Array(2)],
    ['a Date', { at: new Date(0) }],
    ['a Map', new Map()],
    ['a Promise that nobody awaited', { at: Promise.resolve(1) }],
    ['a cycle', cycle],
    ['1,200 levels', nested(1200)],
    ['901 levels', nested(901)],
    [
      'a getter that throws',
      Object.defineProperty({}, 'a', {
        enumerable: true,
        get: () => {
          throw new Error('no')
        },
      }),
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
    ],
  ]
  test.each(outputs)('%s is invalid_output, with an _outputPath or without', async (_what, output) => {
    for (const _outputPath of [undefined, '†state.x']) {
      const { Tool, ran } = counting(output, { _outputPath: text })
      const context = createContext()
      const call = _outputPath ? { _tool: 't', _outputPath } : { _tool: 't' }
      const outcome = await Tool.run(call, { context })
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_output' }, attempts: 1 })
      expect(ran()).toBe(1)
      expect(context.messages).toEqual([])
    }
  })

  test('a Call of 901 levels is refused: its Message could not be stored', async () => {
    const { Tool, ran } = counting(1)
    expect((await Tool.run({ _tool: 't', value: nested(901) })).error?.code).toBe('invalid_call')
    expect(ran()).toBe(0)
  })

  test('what JSON can say passes: null prototypes, classes with members, undefined members', async () => {
    class Point {
      x = 1
    }
    for (const output of [
      Object.assign(Object.create(null), { a: 1 }),
      new Point(),
      { a: undefined },
      nested(900),
    ]) {
      const { Tool } = counting(output)
      expect(await Tool({ _tool: 't' })).toBe(output)
    }
  })
})
