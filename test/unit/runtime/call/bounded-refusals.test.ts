import {
  type CallError,
  createContext,
  createRegistry,
  type Message,
  message,
  type Outcome,
  plan,
  tool,
} from 'callsheet'
import { describe, expect, test } from 'vitest'

const many = 100_000
const most = 40_000

const list = tool('list', { items: { type: 'array', items: {} }, _output: {} })
const { Tool, Activity } = createRegistry({ tools: { list } })
Activity.register('list', () => 1)

describe('CALL-11a the text of a refusal is bounded, with a count of the rest, and its time grows with the Call', () => {
  test('100,000 unresolved References', async () => {
    const items = Array.from({ length: many }, (_, index) => `†state.missing.${index}`)
    const { error } = await Tool.run({ _tool: 'list', items })
    expect(error?.code).toBe('unresolved_reference')
    expect(error?.message).toContain(`and ${many - 20} more`)
    expect(error?.message.length).toBeLessThan(most)
    expect(error?.problems).toHaveLength(101)
    expect(error?.problems?.at(-1)?.received).toBe(`${many - 100} more`)
    await expect(Tool.plan([{ _tool: 'list', items }])).rejects.toThrow(`and ${many - 20} more`)
  })

  test('an output path of a megabyte, in a plan', async () => {
    const _outputPath = `†state.${'a.'.repeat(500_000)}`
    const refused: CallError = await Tool.plan([{ _tool: 'list', items: [], _outputPath }]).then(
      () => expect.unreachable(),
      (error: CallError) => error,
    )
    expect(refused.code).toBe('invalid_path')
    expect(JSON.stringify([refused.message, refused.problems]).length).toBeLessThan(most)
  })

  test('a Reference under a name of a megabyte', async () => {
    const { error } = await Tool.run({
      _tool: 'list',
      items: [{ ['x'.repeat(1_000_000)]: '†state.missing' }],
    })
    expect(error?.message.length).toBeLessThan(most)
  })

  test('200,000 unknown properties: guesses for those that are spelt out', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 2 * many }, (_, index) => [`itmes${index}`, 1]))
    const started = performance.now()
    const { error } = await Tool.run({ _tool: 'list', items: [], ...unknown })
    // A hang guard: it was 100 seconds.
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(error?.message).toContain(`and ${2 * many - 20} more`)
    expect(error?.message.length).toBeLessThan(most)
  })

  test('CALL-4 a group of 1,000 Calls of unknown Tools: guesses for the first 20', async () => {
    const outcomes: Outcome[] = []
    const calls = Array.from({ length: 1000 }, (_, index) => ({ _tool: 'lits', index }))
    const onOutcome = (outcome: Outcome, place: number): void => {
      outcomes[place] = outcome
    }
    await expect(Tool.all(calls, { onOutcome })).rejects.toThrow('Unknown tool "lits". Did you mean "list"?')
    const guessed = outcomes.map(({ error }) => error?.suggestions?.length ?? 0)
    expect(guessed).toEqual(calls.map((_, place) => (place < 20 ? 1 : 0)))
    const { error } = await Tool.run({ _tool: 'lits' })
    expect(error?.suggestions).toEqual(['list'])
  })

  test('a Message with 100,000 fields too many', () => {
    const fields = Object.fromEntries(Array.from({ length: many }, (_, index) => [`field${index}`, 1]))
    const wrong = { type: 'text', text: 'hi', ...fields } as unknown as Message
    for (const refuse of [() => message(wrong), () => createContext([wrong])]) {
      expect(refuse).toThrow(/and 99980 more/)
    }
  })

  test('a plan of 20,000 unknown Tools, and a circle of 2,000 Calls', () => {
    const unknown = Array.from({ length: 20_000 }, (_, index) => ({ _tool: `lits${index}` }))
    expect(() => plan(unknown, { tools: { list: Tool.get('list') as never } })).toThrow(/and 19980 more$/)
    const circle = Array.from({ length: 2000 }, (_, index) => ({
      _tool: 'list',
      items: `†state.s${(index + 1) % 2000}`,
      _outputPath: `†state.s${index}`,
    }))
    expect(() => plan(circle)).toThrow(/1990 more Calls/)
  })

  test('what an Activity throws', async () => {
    Activity.register('list', () => {
      throw new Error('x'.repeat(1_000_000))
    })
    const { error } = await Tool.run({ _tool: 'list', items: [] })
    expect(error?.message).toMatch(/^Activity "list" failed on "list": x{3999}…$/)
    expect(error?.cause).toMatchObject({ message: 'x'.repeat(1_000_000) })
  })

  test('1,000 write Tools in a race', async () => {
    const tools = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`w${index}`, tool(`w${index}`, {}, { effects: 'write' })]),
    )
    const registry = createRegistry({ tools })
    const calls = Object.keys(tools).map((_tool) => ({ _tool }))
    await expect(registry.Tool.any(calls)).rejects.toThrow(/"w9", and 990 more, declared/)
  })
})
