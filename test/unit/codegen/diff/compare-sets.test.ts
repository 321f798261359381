import { describe, expect, test } from 'vitest'
import type { Change, ChangeClass, Verdict } from '../../../../codegen/diff/change.ts'
import { compareSets } from '../../../../codegen/diff/compare/compare-sets.ts'
import { makeChange, worst } from '../../../../codegen/diff/compare/make-change.ts'
import type { ContractSet, ContractTool } from '../../../../codegen/diff/contract.ts'
import type { ToolSchema } from '../../../../runtime/schema/schema.ts'
import { contractHash } from '../../../../runtime/server/contract-hash.ts'
import { requireContract } from '../../../../runtime/server/require-contract.ts'

const tool = (said: Partial<ToolSchema> = {}, properties: object = {}): ContractTool => ({
  name: 'find',
  schema: {
    type: 'object',
    properties: { _tool: { const: 'find' }, text: { type: 'string' }, ...properties },
    required: ['_tool', 'text'],
    additionalProperties: false,
    ...said,
  },
  activity: undefined,
})
const set = (...tools: readonly ContractTool[]): ContractSet => ({ output: 'generated', tools })
const off = tool({ enabled: false })
const quiet = tool()
const speaking = tool({}, { _output: { type: 'string' } })

/** `forward`: a worker of today with an agent of yesterday; `backward`: the other way round. */
describe('DIFF-1, DIFF-3 what happens to a whole Tool, and in which order of deployment it is safe', () => {
  test.each<[string, ContractSet, ContractSet, title: string, forward: Verdict, backward: Verdict]>([
    ['a Tool comes', set(), set(quiet), 'Tool added.', 'safe', 'breaks'],
    ['a Tool comes that is off', set(), set(off), 'Tool added.', 'safe', 'safe'],
    ['a Tool goes', set(quiet), set(), 'Tool removed.', 'breaks', 'safe'],
    ['a Tool goes that was off', set(off), set(), 'Tool removed.', 'safe', 'safe'],
    ['a Tool is switched off', set(quiet), set(off), 'Tool switched off.', 'breaks', 'safe'],
    ['a Tool is switched on', set(off), set(quiet), 'Tool switched on.', 'safe', 'breaks'],
    ['an output comes', set(quiet), set(speaking), 'Output added.', 'safe', 'breaks'],
    ['an output goes', set(speaking), set(quiet), 'Output removed.', 'breaks', 'safe'],
    [
      'it writes from now on',
      set(tool({ effects: 'read' })),
      set(tool({ effects: 'write' })),
      'More effects than old agents know: read → write.',
      'breaks',
      'safe',
    ],
  ])('%s', (_what, before, after, title, forward, backward) => {
    const wire = compareSets(before, after).changes.filter((change) => change.class === 'wire')
    expect(wire.map((change) => [change.title, change.verdicts])).toEqual([
      [title, { together: forward, 'worker-first': forward, 'agent-first': backward }],
    ])
  })

  test('the same Tools, in whatever order, are no change', () => {
    const other = { ...quiet, name: 'other' }
    expect(compareSets(set(quiet, other), set(other, quiet))).toMatchObject({ changes: [], unchanged: 2 })
  })
})

const effects = [undefined, 'read', 'idempotent', 'write'] as const
const everyPair = effects.flatMap((known) => effects.map((is) => [known, is] as const))

test.each(everyPair)('DIFF-3 effects %s, then %s: safe where a worker takes the Calls', async (known, is) => {
  const [before, after] = [known, is].map((each) => tool(each ? { effects: each } : {}))
  const worker = async (mine?: ContractTool, theirs?: ContractTool): Promise<Verdict> => {
    const { schema } = mine ?? quiet
    const header = `find=${await contractHash(schema)}=${theirs?.schema.effects ?? 'write'}`
    const asked = requireContract(
      header,
      { get: () => schema, composable: () => [{ name: 'find' }] } as never,
      undefined,
      {
        calls: [{ _tool: 'find' }],
        context: [],
      },
    )
    return asked.then((): Verdict => 'safe').catch((): Verdict => 'breaks')
  }
  const { changes } = compareSets(set(before ?? quiet), set(after ?? quiet))
  const told = (order: 'worker-first' | 'agent-first') =>
    worst(changes.map(({ verdicts }) => verdicts[order]))
  expect(told('worker-first')).toBe(await worker(after, before))
  expect(told('agent-first')).toBe(await worker(before, after))
})

describe('DIFF-4 what got other names costs no look at each for each', () => {
  const names = Array.from({ length: 60 }, (_, index) => `${index}`)

  /** How often the keywords of schemas are read. */
  function looks(
    make: (counted: <Value extends object>(value: Value) => Value) => [ContractSet, ContractSet],
  ) {
    let count = 0
    const counted = <Value extends object>(value: Value): Value =>
      new Proxy(value, {
        ownKeys(from) {
          count++
          return Reflect.ownKeys(from)
        },
      })
    return { comparison: compareSets(...make(counted)), looks: count }
  }

  test('Tools', () => {
    const found = looks((counted) => {
      const all = (prefix: string): ContractTool[] =>
        names.map((name) => ({
          ...tool({ description: `Finds ${name}.` }, { text: counted({ type: 'string' }) }),
          name: `${prefix}${name}`,
        }))
      return [set(...all('find')), set(...all('search'))]
    })
    expect(found.comparison).toMatchObject({ removed: [], added: [] })
    expect(found.looks).toBeLessThan(2 * names.length * 60)
  })

  test('parameters', () => {
    const found = looks((counted) => {
      const all = (prefix: string): object =>
        Object.fromEntries(
          names.map((name) => [prefix + name, counted({ type: 'string', description: name })]),
        )
      return [set(tool({}, all('old'))), set(tool({}, all('new')))]
    })
    const renamed = found.comparison.changes.filter(({ title }) => title.includes('renamed'))
    expect(renamed.length).toBeGreaterThan(0)
    expect(found.looks).toBeLessThan(2 * names.length * 60)
  })
})

/** The changes of one class, as what they say and what they are called. */
function changesOf(kind: ChangeClass, before: ContractTool, after: ContractTool): Change[] {
  return compareSets(set(before), set(after)).changes.filter((change) => change.class === kind)
}

describe('DIFF-1 a type is what a compiler reads of it', () => {
  const shared = (values: readonly string[], said: object = {}): Partial<ToolSchema> => ({
    $defs: {
      Place: { type: 'object', properties: { sky: { $ref: '#/$defs/Sky' } }, required: ['sky'], ...said },
      Sky: { enum: [...values] },
    },
  })
  const reading = { _output: { $ref: '#/$defs/Place' } }

  test('a definition that another definition uses counts, in the half that leads to it', () => {
    const types = changesOf(
      'type',
      tool(shared(['clear', 'rain']), reading),
      tool(shared(['clear']), reading),
    )
    expect(types.map(({ path }) => path)).toEqual(['/_output'])
  })

  test.each<[string, object, object]>([
    ['a format', { text: { type: 'string' } }, { text: { type: 'string', format: 'email' } }],
    ['a bound', { limit: { type: 'number', maximum: 5 } }, { limit: { type: 'number', maximum: 4 } }],
    ['the order of values', { unit: { enum: ['C', 'F'] } }, { unit: { enum: ['F', 'C'] } }],
    [
      'the order of alternatives',
      { unit: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      { unit: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
    ],
    [
      'the order of members',
      { at: { type: 'object', properties: { x: {}, y: {} }, required: ['x', 'y'] } },
      { at: { type: 'object', properties: { y: {}, x: {} }, required: ['y', 'x'] } },
    ],
  ])('%s is none', (_what, was, is) => {
    expect(changesOf('type', tool({}, was), tool({}, is))).toEqual([])
  })

  test('the order of parameters is none', () => {
    const was = tool({ required: ['_tool', 'text', 'from', 'to'] }, { from: {}, to: {} })
    const is = tool({ required: ['_tool', 'text', 'to', 'from'] }, { to: {}, from: {} })
    expect(changesOf('type', was, is)).toEqual([])
  })
})

test('DIFF-1 a type on one line has a mark between its members', () => {
  const at = (kind: string): object => ({
    at: { type: 'object', properties: { x: { type: kind }, y: {} }, required: ['x', 'y'] },
  })
  const [type] = changesOf('type', tool({}, at('string')), tool({}, at('number')))
  expect(type?.title).toBe(
    'Type of `at`: `{ x: string; y: unknown }, optional` → `{ x: number; y: unknown }, optional`.',
  )
})

test.each<[string, object, object, string]>([
  [
    'a rule beside a member',
    { properties: { x: {}, y: {} } },
    { properties: { x: {}, y: {} }, dependentRequired: { x: ['y'] } },
    'Parameter `at.y`: a rule of a schema around it changed.',
  ],
  [
    'an object that is closed',
    { properties: {} },
    { properties: {}, additionalProperties: false },
    'Allowed values of parameter `at[*]` changed.',
  ],
])('DIFF-1 %s: what changed is told', (_what, was, is, title) => {
  const at = (said: object): ContractTool => tool({}, { at: { type: 'object', ...said } })
  expect(changesOf('wire', at(was), at(is)).map((change) => change.title)).toEqual([title])
})

describe('DIFF-4 an id names one change', () => {
  const values = Array.from({ length: 30 }, (_, index) => `value${index}`)
  const without = (...gone: readonly number[]): readonly string[] =>
    values.filter((_value, index) => !gone.includes(index))
  const first = [0, 1, 2, 3, 4]

  test.each<[string, (values: readonly string[]) => ContractTool]>([
    ['where words are cut', (listed) => tool({}, { unit: { enum: [...listed] } })],
    [
      'through definitions',
      (listed) => tool({ $defs: { Unit: { enum: [...listed] } } }, { unit: { $ref: '#/$defs/Unit' } }),
    ],
  ])('%s', (_what, made) => {
    const idsOf = (now: readonly string[]): string[] =>
      compareSets(set(made(values)), set(made(now))).changes.map(({ id }) => id)
    const [one, other] = [idsOf(without(...first, 5)), idsOf(without(...first, 9))]
    expect(one.length).toBeGreaterThan(1)
    expect(one.filter((id) => other.includes(id))).toEqual([])
    expect(idsOf(without(...first, 5))).toEqual(one)
  })
})

test('DIFF-4 an id does not depend on the words of the report', () => {
  const change = { path: '/unit', pointer: '/properties/unit', facts: ['values', 'a', 'b'], meaning: 'More.' }
  const [one, reworded, other] = [
    makeChange('wire', quiet, { ...change, title: 'Allowed values changed.' }),
    makeChange('wire', quiet, { ...change, title: 'Other values are allowed.', meaning: 'Less.' }),
    makeChange('wire', quiet, { ...change, title: 'Allowed values changed.', facts: ['values', 'a', 'c'] }),
  ]
  expect(reworded.id).toBe(one.id)
  expect(other.id).not.toBe(one.id)
})

describe('DIFF-1 what stands on a Tool for policies is told to no model', () => {
  test.each<[string, Partial<ToolSchema>]>([
    ['effects', { effects: 'read' }],
    ['whether it is on', { enabled: false }],
    ['the parser that it has anyway', { parser: 'json' }],
  ])('%s', (_what, said) => {
    const told = compareSets(set(tool()), set(tool(said))).changes.filter(({ title }) =>
      /written differently|read as/.test(title),
    )
    expect(told).toEqual([])
  })
})

describe('DIFF-1 effect: what a Tool does, who runs it, what it sees', () => {
  const runBy = (activity: string | undefined, name = 'find'): ContractTool => ({ ...tool(), name, activity })
  const literal = { references: false } as const
  const text = { type: 'string' }
  const seeing = (...scopes: readonly string[]): ContractTool =>
    tool({}, { _scopes: { type: 'array', const: [...scopes] } })
  const fixing = (field: string, value: string): ContractTool =>
    tool({}, { [field]: { type: 'string', const: value } })
  const carriedOutBy = (delegate?: string): ContractTool =>
    tool({}, { _delegate: { type: 'string', ...(delegate !== undefined && { const: delegate }) } })

  test.each<[string, ContractTool, ContractTool, title: string, meaning: string]>([
    [
      'it writes',
      tool(),
      tool({ effects: 'write' }),
      'Effects: not declared → write.',
      'not retried, raced or',
    ],
    [
      'it is not declared',
      tool({ effects: 'write' }),
      tool(),
      'Effects: write → not declared.',
      'may be raced',
    ],
    ['it reads', tool(), tool({ effects: 'read' }), 'Effects: not declared → read.', 'may be retried'],
    ['a model answers', runBy('find'), runBy(''), 'Activity: `find` → latent.', 'model now makes up'],
    ['code answers', runBy(''), runBy('find'), 'Activity: latent → `find`.', 'now comes from code'],
    ['other code', runBy('find'), runBy('seek'), 'Activity: `find` → `seek`.', 'Another implementation'],
    ['it sees more', seeing('a'), seeing('a', 'b'), '`_scopes`: ["a"] → ["a","b"].', 'also receives `b`'],
    ['it sees less', seeing('a', 'b'), seeing('a'), '`_scopes`: ["a","b"] → ["a"].', 'receives less'],
    ['it sees for the first time', tool(), seeing('a'), '`_scopes`: none → ["a"].', 'also receives `a`'],
    ['what it sees is left open', seeing('a'), tool(), '`_scopes`: ["a"] → none.', 'of the context changed.'],
    [
      'another carries it out',
      carriedOutBy('a'),
      carriedOutBy('b'),
      '`_delegate`: "a" → "b".',
      'out changed.',
    ],
    [
      'a Call says who carries it out',
      carriedOutBy('a'),
      carriedOutBy(),
      '`_delegate`: "a" → open.',
      'out changed.',
    ],
    [
      'it writes by itself',
      tool(),
      fixing('_outputPath', 'a'),
      '`_outputPath`: none → "a".',
      'The place of the output',
    ],
    [
      'it writes elsewhere',
      fixing('_outputPath', 'a'),
      fixing('_outputPath', 'b'),
      '`_outputPath`: "a" → "b".',
      'The place of the output',
    ],
    [
      'it adds to a list no more',
      fixing('_outputMethod', 'push'),
      tool({}, { _outputMethod: text }),
      '`_outputMethod`: "push" → open.',
      'is combined with the existing value changed.',
    ],
    [
      'it is of an instance',
      tool(),
      fixing('_instance', 'i'),
      '`_instance`: none → "i".',
      'read and write changed.',
    ],
    ['tuples', tool(), tool({ parser: 'tuple' }), 'Text arguments are read as tuple, before as json.', ''],
    [
      'text is read',
      tool(literal),
      tool(),
      'References are read in `text`.',
      'now resolved from the context',
    ],
    ['text is text', tool(), tool(literal), 'References are no longer read in `text`.', 'is now plain text'],
    ['one text is read', tool(literal), tool({}, { more: literal }), 'References are read in `text`.', ''],
    [
      'of two texts one is read',
      tool(literal, { more: text }),
      tool({}, { more: { ...text, ...literal } }),
      'References are read in `text`.',
      '',
    ],
  ])('%s', (_what, before, after, title, meaning) => {
    const effects = changesOf('effect', before, after)
    expect(effects.map((change) => change.title)).toEqual([title])
    expect(effects[0]?.meaning).toContain(meaning)
  })

  test.each<[string, ContractTool, ContractTool]>([
    ['who ran it is not known', runBy(undefined), runBy('find')],
    ['who runs it is not known', runBy('find'), runBy(undefined)],
    ['a parameter comes whose text is text', tool(), tool({}, { more: { type: 'string', ...literal } })],
    [
      'text is text, said in another place',
      tool(literal),
      tool({}, { text: { type: 'string', ...literal } }),
    ],
    ['an open meta-field is declared as open', tool(), tool({}, { _scopes: true })],
    ['its Activity went along with its name', runBy('findPlace', 'findPlace'), runBy('find', 'find')],
  ])('nothing is said where %s', (_what, before, after) => {
    expect(changesOf('effect', before, after)).toEqual([])
  })
})

describe('DIFF-4 which parameters are taken for renamed ones', () => {
  const text = { type: 'string' }
  const whole = { type: 'integer' }
  const about = { ...text, description: 'What is looked for.' }
  const of = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]))
  test.each<[string, before: object, after: object, renamed: string[]]>([
    ['the only one', of('city'), of('place'), ['city → place']],
    ['not of another type', of('city'), { place: whole }, []],
    ['the only one of its type', { city: text, most: whole }, { place: text }, ['city → place']],
    [
      'each the only one of its type',
      { city: text, most: whole },
      { limit: whole, place: text },
      ['city → place', 'most → limit'],
    ],
    [
      'each by its words',
      of('startDate', 'endDate'),
      of('dateOfEnd', 'dateOfStart'),
      ['startDate → dateOfStart', 'endDate → dateOfEnd'],
    ],
    ['none where no word is the same', of('city', 'street'), of('place', 'road'), []],
    ['none of two that came, where no word is the same', of('city'), of('place', 'road'), []],
    ['none of two that went, where no word is the same', of('city', 'street'), of('place'), []],
    ['none of two that are alike as much', of('cityName'), of('cityCode', 'cityColour'), []],
    ['each new name once', of('userName', 'name'), of('nameOfUser'), ['userName → nameOfUser']],
    ['by its description', { q: about, r: text }, { y: text, z: about }, ['q → z']],
    [
      'not by descriptions that differ',
      { q: about, r: text },
      { y: text, z: { ...about, description: 'Else.' } },
      [],
    ],
    ['no meta-field', of('_instance'), of('_outputPath'), []],
    ['no name that a pointer escapes', of('a/b'), of('c'), []],
  ])('%s', (_what, before, after, renamed) => {
    const titles = changesOf('wire', tool({}, before), tool({}, after)).map(({ title }) => title)
    const found = titles.filter((title) => title.includes('renamed'))
    expect(found.sort()).toEqual(
      renamed.map((each) => `Parameter \`${each.replace(' → ', '` renamed to `')}\`.`).sort(),
    )
  })

  test('none where one is required and the other is not', () => {
    const after = tool({ required: ['_tool', 'text', 'place'] }, of('place'))
    const titles = changesOf('wire', tool({}, of('city')), after).map(({ title }) => title)
    expect(titles.filter((title) => title.includes('renamed'))).toEqual([])
  })
})

describe('DIFF-4 what is taken for a rename', () => {
  const described = (name: string, description?: string, properties: object = {}): ContractTool => ({
    ...tool({ ...(description && { description }), properties: { _tool: { const: name }, ...properties } }),
    name,
  })
  const text = { type: 'string' }
  function recursive(name: string, node: string): ContractTool {
    const { schema, ...rest } = described(name, undefined, { in: { $ref: `#/$defs/${node}` } })
    const $defs = { [node]: { type: 'array', items: { $ref: `#/$defs/${node}` } } } as const
    return { ...rest, schema: { ...schema, $defs } }
  }
  const titles = (before: ContractTool, after: ContractTool): string[] =>
    compareSets(set(before), set(after))
      .changes.filter((change) => change.class === 'wire')
      .map(({ title }) => title)

  test.each<[string, ContractTool, ContractTool]>([
    [
      'a telling name',
      described('findPlace', undefined, { a: text }),
      described('searchPlace', undefined, { a: text }),
    ],
    [
      'the same description',
      described('seek', 'Finds.', { a: text }),
      described('find', 'Finds.', { a: text }),
    ],
    [
      'two parameters',
      described('seek', 'A', { a: text, b: text }),
      described('find', 'B', { a: text, b: text }),
    ],
    [
      'a definition that is named after the Tool',
      recursive('findFolder', 'FindFolderNode'),
      recursive('openFolder', 'OpenFolderNode'),
    ],
  ])('%s is', (_what, before, after) => {
    expect(titles(before, after)).toContain(`Tool renamed from \`${before.name}\` to \`${after.name}\`.`)
  })

  test.each<[string, ContractTool, ContractTool]>([
    ['one parameter alone', described('seek', 'A', { a: text }), described('find', 'B', { a: text })],
    [
      'no description on both sides',
      described('seek', undefined, { a: text }),
      described('find', undefined, { a: text }),
    ],
  ])('%s is not', (_what, before, after) => {
    expect(titles(before, after)).toEqual(['Tool removed.', 'Tool added.'])
  })

  test('of a parameter that is required from now on, an example is found beside the renamed one', () => {
    const before = tool({ required: ['_tool', 'text', 'city'] }, { city: text })
    const after = tool(
      { required: ['_tool', 'text', 'cityName', 'days'] },
      { cityName: text, days: { type: 'integer' } },
    )
    const verdicts = changesOf('wire', before, after).map(({ path, verdicts }) => [path, verdicts.together])
    expect(verdicts).toEqual([
      ['/days', 'breaks'],
      ['/cityName', 'breaks'],
    ])
  })

  test('a parameter that became required is not the one that went', () => {
    const before = tool({}, { old: text })
    const after = tool({ required: ['_tool', 'text', 'now'] }, { now: text })
    expect(titles(before, after)).toEqual(expect.arrayContaining([expect.stringContaining('`old` removed')]))
  })
})
