import { createRegistry, tool } from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { own } from '../../runtime/json/json.ts'
import { pointerNames } from '../../runtime/json/pointer-names.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'

class Hidden {
  readonly #value = 1
  get value(): number {
    return this.#value
  }
}

class Cache extends Map<string, number> {
  limit = 10
}

/** Objects of which JSON would leave `{}`, or other members than they have. */
const objects: readonly (() => object)[] = [
  () => Promise.resolve(1),
  () => new Date(0),
  () => new Map([[1, 2]]),
  () => new Set([1]),
  () => new Error('lost'),
  () => Object.assign(new Error('lost'), { code: 'ENOENT' }),
  () => /lost/,
  () => new Uint8Array(2),
  () => new ArrayBuffer(2),
  () => new URL('http://localhost/'),
  () => new Headers({ a: 'b' }),
  () => new Response('{}'),
  () => new WeakMap(),
  () => new AbortController(),
  () => new Hidden(),
  () => Object.create({ inherited: 1 }),
  () => ({ toJSON: () => 1 }),
  // Members of their own do not make plain objects of them.
  () => new Cache([['a', 1]]),
  () => Object.assign(new Set([1]), { limit: 1 }),
  () => Object.assign(Promise.resolve(1), { state: 'pending' }),
  () => Object.assign(new ArrayBuffer(2), { used: 1 }),
  () => new String('lost'),
]

/** What is no JSON either. */
const scalars: readonly (() => unknown)[] = [() => 1n, () => Number.NaN, () => Symbol('lost'), () => () => 1]

class Point {
  x = 1
}

const leaf = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(null, true, 0, 'text', 'toJSON') },
  { weight: 2, arbitrary: fc.constantFrom<unknown>({}, [], new Point()) },
  { weight: 1, arbitrary: fc.constantFrom(...objects).map((make) => make()) },
  { weight: 1, arbitrary: fc.constantFrom(...scalars).map((make) => make()) },
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b/c', 'then', 'id'), tie('tree'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}))

/** Whether JSON says of a value what it is, by looking at each part of it. */
function survives(value: unknown): boolean {
  const isText = value === null || typeof value === 'string' || typeof value === 'boolean'
  if (typeof value !== 'object' || value === null) return isText || Number.isFinite(value)
  const isPlain = [Array.prototype, Object.prototype, Point.prototype].includes(Object.getPrototypeOf(value))
  return isPlain && !Object.hasOwn(value, 'toJSON') && Object.values(value).every(survives)
}

const partAt = (value: unknown, pointer: string): unknown =>
  pointerNames(pointer).reduce((part, name) => own(part as object, name), value)

let refused = 0

fuzz(
  'OUT-2, CALL-1 what JSON cannot say is refused with its place, as an output and in a Call, and all else comes through whole',
  300,
  tree,
  async (value) => {
    const give = tool('give', { _output: {} })
    const take = tool('take', { value: {}, _output: {} })
    const { Tool, Activity } = createRegistry({ tools: { give, take } })
    let seen: unknown
    // In a list, since a Promise that is all of it is waited for.
    const output = [value]
    Activity.register('give', () => output)
    Activity.register('take', (call) => {
      seen = call.value
      return true
    })
    const given = await Tool.run({ _tool: 'give' })
    expect(given.status).toBe(survives(value) ? 'succeeded' : 'failed')
    if (given.status === 'succeeded') expect(given.output).toBe(output)
    else {
      refused++
      expect(given.error?.code).toBe('invalid_output')
      expect(survives(partAt(output, given.error?.problems?.[0]?.path ?? ''))).toBe(false)
    }

    const taken = await Tool.run({ _tool: 'take', value })
    if (survives(value)) expect(seen).toEqual(value)
    else expect([taken.error?.code, seen]).toEqual(['invalid_call', undefined])
    // Whatever becomes of them, a log or a server can write them.
    expect(JSON.parse(JSON.stringify([given.call, taken.call]))).toEqual([given.call, taken.call])
    const noted = await Tool.run({ _tool: 'take', value: 0 }, { after: (own) => ({ ...own, note: value }) })
    expect([noted.output, noted.status]).toEqual([true, survives(value) ? 'succeeded' : 'failed'])
    expect(() => JSON.stringify(noted)).not.toThrow()
  },
)

test('values were refused', () => expect(refused).toBeGreaterThan(often(20)))
