import { createRegistry, type Message } from 'callsheet'
import { describe, expect, test } from 'vitest'

const any = {}
const { Tool, Activity } = createRegistry({
  tools: {
    keep: {
      type: 'object',
      properties: {
        _tool: { const: 'keep' },
        value: any,
        _instance: { type: 'string' },
        _outputPath: { type: 'string' },
        _output: any,
      },
      required: ['_tool', 'value'],
    },
  },
})
Activity.register('keep', ({ value }) => value)

const length = 1000
const places = Array.from({ length }, (_, place) => place)

/** A list of patches, each of another name, that counts how often one of them is looked at to find out what it wrote. */
function countedContext(): { readonly context: Message[]; readonly looks: () => number } {
  let looks = 0
  const context = places.map((place) => {
    const message = { type: 'state', state: { [`k${place}`]: place } } as unknown as Message
    return Object.defineProperty(message, '_instance', {
      enumerable: true,
      get() {
        looks += 1
        return undefined
      },
    })
  })
  return { context, looks: () => looks }
}

describe('a long list of Messages that is read often is not searched each time', () => {
  const absent = (place: number): string => `†state.none${place}`
  const there = (place: number): string => `†state.k${place}`
  const kept = (value: unknown, place?: number) => ({
    _tool: 'keep',
    value,
    ...(place !== undefined && { _outputPath: `†state.x${place}` }),
  })
  const cases: Record<string, (context: Message[]) => Promise<unknown>> = {
    'by one Call, of what is there': (context) => Tool.run(kept(places.map(there)), { context }),
    'by one Call, of what nobody wrote': (context) => Tool.run(kept(places.map(absent)), { context }),
    'by a group': (context) =>
      Tool.all(
        places.map((place) => kept(`${absent(place)} || ${there(place)}`)),
        { context },
      ),
    'by a group of an instance': (context) =>
      Tool.all(
        places.map(() => ({ ...kept(1), _instance: 'nobody' })),
        { context },
      ).catch(() => undefined),
    'by a plan that is checked': (context) =>
      Tool.plan(
        places.map((place) => kept(place === 0 ? 1 : `${absent(place)} || †state.x${place - 1}`, place)),
        { context },
      ),
  }
  test.each(Object.entries(cases))('%s', async (_, read) => {
    const { context, looks } = countedContext()
    await read(context)
    expect(looks()).toBeGreaterThanOrEqual(length)
    expect(looks()).toBeLessThan(20 * length)
  })

  test('what is appended to the list between two reads is seen', async () => {
    const { context } = countedContext()
    const seen: unknown[] = []
    for (const value of [1, 2]) {
      context.push({ type: 'state', state: { late: value } } as unknown as Message)
      const [first, last] = await Tool.all(
        places.map(() => kept(`${absent(0)} || †state.late`)).concat(kept('†state.late')),
        { context },
      )
      seen.push(first, last)
    }
    expect(seen).toEqual([1, 1, 2, 2])
  })
})

describe('REF-4 what References put into one Call is bounded', () => {
  const grow = (by: number, from: number) => ({
    ...{ _tool: 'keep', value: Array.from({ length: by }, () => `†state.x${from}`) },
    _outputPath: `†state.x${from + 1}`,
  })

  test('a plan that multiplies what it reads ends with a code', async () => {
    const { outcomes, blocked } = await Tool.plan([
      { _tool: 'keep', value: [1, 2, 3], _outputPath: '†state.x0' },
      ...Array.from({ length: 8 }, (_, from) => grow(100, from)),
    ])
    const ends = outcomes.map((outcome) => outcome?.error?.code ?? outcome?.status)
    expect(ends.slice(0, 5)).toEqual(['succeeded', 'succeeded', 'succeeded', 'invalid_call', undefined])
    expect(outcomes[3]?.error?.message).toContain('References of the Call put in more than')
    expect(blocked).toHaveLength(5)
  })

  test('texts count by their length', async () => {
    const text = 'x'.repeat(1_000_000)
    const context = [{ type: 'state', state: { text } }] as unknown as Message[]
    const read = (times: number) =>
      Tool.run({ _tool: 'keep', value: Array.from({ length: times }, () => '†state.text') }, { context })
    expect((await read(50)).status).toBe('succeeded')
    expect((await read(200)).error?.code).toBe('invalid_call')
  })

  test('one Reference takes what is there, however large', async () => {
    const list = Array.from({ length: 1_500_000 }, () => 0)
    const context = [{ type: 'state', state: { list } }] as unknown as Message[]
    const { status, output } = await Tool.run({ _tool: 'keep', value: '†state.list' }, { context })
    expect([status, (output as unknown[]).length]).toEqual(['succeeded', list.length])
  })
})
