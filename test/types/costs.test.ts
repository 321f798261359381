import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { defineContext, tool } from '../../runtime/index.ts'
import { define } from '../unit/codegen/build/define.ts'
import { typedSources } from '../unit/runtime/typed/typed-sources.ts'
import { allCompilers } from './compilers.ts'
import { Editor } from './editor.ts'

const context = defineContext({ state: Type.Object({ user: Type.Object({ name: Type.String() }) }) })
const place = Type.Object({ file: Type.String(), lines: Type.Array(Type.Object({ from: Type.Integer() })) })

/** The generated sources of so many Tools, no two of which have the same type. */
function sourcesOf(count: number, declaresContext: boolean): Record<string, string> {
  const tools = Array.from({ length: count }, (_, index) =>
    define(
      `tool${index}`,
      tool(`tool${index}`, {
        [`key${index}`]: Type.String(),
        place,
        mode: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal(`b${index}`)])),
        _outputPath: Type.Optional(Type.String()),
        _output: Type.Object({ [`result${index}`]: Type.Number() }),
      }),
    ),
  )
  const { model } = buildModel([...tools, ...(declaresContext ? [define('context', context, 'state')] : [])])
  return typedSources(model)
}

const head = `import { Activity, calls, plan, Tool, type Call, type Calls } from './index.js'; import type { BuiltCall } from 'callsheet'; type Either = Call | BuiltCall<unknown>; declare const call: Call, several: Call[], maybe: Call | undefined; void [Activity, calls, plan, Tool, call, several, maybe]`

const [few, many] = [20, 80]

/** While somebody types, no Tool is meant yet. */
const completions = [
  `Tool({ _tool: '|' })`,
  `Tool({ _tool: 'tool7', | })`,
  `Tool.run({ _tool: '|' })`,
  `plan().step({ _tool: '|' })`,
  `Activity.register('|')`,
]
/** The compiler itself makes the type of a list for each Tool. */
const listed = [`Tool.all([{ _tool: '|' }])`, `plan([{ _tool: '|' }])`]
/** Calls of which only the run knows the Tool. */
const anyTool = [
  'void Tool(call)',
  'void Tool({ ...call })',
  'void Tool.run(call)',
  'void Tool.all(several)',
  'void Tool.any([call, call])',
  'void plan(several)',
  'void plan([call, call])',
  'void plan().step(call)',
]
/** Calls of which not even the function around them knows more. */
const anyGiven = [
  'void (<C extends Call>(given: C) => Tool(given))',
  'void (<C extends Call>(given: C) => Tool.run({ ...given }))',
  'void (<C extends Call>(given: C[]) => Tool.all(given))',
  'void (<const C extends readonly Call[]>(given: C) => Tool.race(given))',
  'void (<N extends keyof Calls>(given: Calls[N]) => Tool(given))',
  'void (<C extends Call>(given: C) => plan([given]))',
  'void (<C extends Call>(given: C) => plan().step(given))',
  'void (<C extends Either>(given: C) => Tool(given))',
  'void (<C extends Either>(given: C) => plan().step(given))',
  `void (<T extends string>(text: T) => Tool({ _tool: 'tool7', key7: text, place: { file: text, lines: [] } }))`,
  'void (<T extends string>(text: T) => calls.tool7({ key7: text, place: { file: text, lines: [] } }))',
]
/** The same, and it may be no Call. */
const wronglyGiven = [
  'void (<C extends object>(given: C) => Tool(given))',
  'void (<C>(given: C) => Tool(given))',
  'void (<N extends keyof Calls>(_tool: N) => Tool({ _tool }))',
  `void (<N extends keyof Calls>(_tool: N, rest: Omit<Calls[N], '_tool'>) => Tool({ _tool, ...rest }))`,
  'void (<C extends object>(given: C) => plan([given]))',
  `void (<T extends number>(text: T) => Tool({ _tool: 'tool7', key7: text, place: { file: 'a', lines: [] } }))`,
  `void (<T extends number>(text: T) => calls.tool7({ key7: text, place: { file: 'a', lines: [] } }))`,
]
/** A member that is wrong for some Tools, in a Call of any Tool. */
const changed = [
  `void Tool({ ...call, mode: 5 })`,
  `void Tool.run({ ...call, mode: 5 })`,
  `void Tool.all([{ ...call, mode: 5 }])`,
]
const wrong = [
  `Activity.register('none', async () => ({}))`,
  'void Tool(maybe)',
  'void Tool(5)',
  'void Tool.run({})',
  'void plan([5])',
]

/** Without a context the types are a part of those with one, so that `npm test` tries the latter alone. */
const contexts: [string, boolean][] = [
  ['a declared context', true],
  ...(allCompilers ? [['no context', false] as [string, boolean]] : []),
]

describe.each(contexts)('with %s', (_, declaresContext) => {
  const editors: Editor[] = []
  beforeAll(() => {
    for (const count of [few, many]) editors.push(new Editor(sourcesOf(count, declaresContext), head))
  })
  afterAll(() => {
    for (const editor of editors) editor.close()
  })

  /** Instantiations for each Tool more. */
  const perTool = (ask: (editor: Editor) => unknown): number => {
    const [least = 0, most = 0] = editors.map((editor) => {
      ask(editor)
      return editor.instantiations()
    })
    return (most - least) / (many - few)
  }

  test.each(completions)(
    'TYPE-7 completing %s costs the same among many Tools',
    (source) => {
      expect(perTool((editor) => expect(editor.completions(source).length).toBeGreaterThan(0))).toBeLessThan(
        1,
      )
    },
    60_000,
  )

  test.each(listed)(
    'TYPE-7 completing %s takes time by the number of Tools at most',
    (source) => {
      expect(perTool((editor) => expect(editor.completions(source).length).toBeGreaterThan(0))).toBeLessThan(
        90,
      )
    },
    60_000,
  )

  test.each(anyTool)(
    'TYPE-5 a Call of any Tool takes time by their number at most: %s',
    (source) => {
      expect(perTool((editor) => expect(editor.problems(source)).toEqual([]))).toBeLessThan(70)
    },
    60_000,
  )

  test.each(anyGiven)(
    'TYPE-5 a function that is given any Call takes time by their number at most: %s',
    (source) => {
      expect(perTool((editor) => expect(editor.problems(source)).toEqual([]))).toBeLessThan(200)
    },
    60_000,
  )

  test.each(wronglyGiven)(
    'TYPE-7 so does one that is given what may be none: %s',
    (source) => {
      expect(perTool((editor) => expect(editor.problems(source)).toHaveLength(1))).toBeLessThan(200)
    },
    60_000,
  )

  test.each(changed)(
    'TYPE-7 a wrong member in a Call of any Tool is not explained for each of them: %s',
    (source) => {
      expect(perTool((editor) => expect(editor.problems(source)).toHaveLength(1))).toBeLessThan(700)
    },
    60_000,
  )

  test.each(wrong)(
    'TYPE-7 what is no Call costs little among many Tools: %s',
    (source) => {
      expect(perTool((editor) => expect(editor.problems(source)).toHaveLength(1))).toBeLessThan(20)
    },
    60_000,
  )
})

test('TYPE-1, TYPE-7 the only Tool of a project has its References checked as well, and its sentences said', () => {
  const editor = new Editor(sourcesOf(1, true), head)
  try {
    const call = (key0: string): string =>
      `void Tool({ _tool: 'tool0', key0: ${key0}, place: { file: 'a', lines: [] } })`
    expect(editor.problems(call(`'†state.user.name'`))).toEqual([])
    expect(editor.problems(call(`'†state.user.nmae'`))).toEqual([expect.stringContaining('tool0.key0')])
    expect(editor.problems(`Activity.register('tool0', async () => ({}))`)).toEqual([
      expect.stringContaining('tool0._output needs result0'),
    ])
    expect(editor.problems(call('5'))).toEqual([expect.stringContaining('tool0.key0 takes')])
  } finally {
    editor.close()
  }
})

test('TYPE-7 the wrong alternative of 600 is explained at once', { timeout: 120_000 }, () => {
  const shapes = Array.from({ length: 600 }, (_, index) =>
    Type.Object({ kind: Type.Literal(`k${index}`), [`v${index}`]: Type.Number() }),
  )
  const draw = define('draw', tool('draw', { shape: Type.Union(shapes), _output: Type.Number() }))
  const editor = new Editor(typedSources(buildModel([draw]).model), head)
  try {
    expect(editor.problems(`void Tool({ _tool: 'draw', shape: { kind: 'k5', v5: 1 } })`)).toEqual([])
    const before = process.cpuUsage()
    expect(editor.problems(`void Tool({ _tool: 'draw', shape: { kind: 'k5', v5: 'x' } })`)).toEqual([
      expect.stringContaining('draw.shape.v5 takes a number'),
    ])
    // A second; a minute, when the alternatives were compared with each other.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10)
  } finally {
    editor.close()
  }
})

test('TYPE-5, TYPE-7 a value of many alternatives is not compared with each of them, right or wrong', {
  timeout: 60_000,
}, () => {
  const shapes = Array.from({ length: 150 }, (_, index) =>
    Type.Object({ kind: Type.Literal(`k${index}`), [`v${index}`]: Type.Number() }),
  )
  const shape = Type.Union(shapes)
  const draw = define('draw', tool('draw', { shape, _output: Type.Object({ shape }) }))
  const wrong = shapes.map((_, index) => `{ kind: 'k${index}', v${index}: string }`).join(' | ')
  const editor = new Editor(
    typedSources(buildModel([draw, define('context', context, 'state')]).model),
    `${head}; import type { DrawResolved } from './index.js'; declare const right: DrawResolved, wrong: ${wrong}`,
  )
  const problems = (source: string): string[] => {
    const found = editor.problems(source)
    // A quarter of a million to a million where each alternative is looked up in all of them.
    expect(editor.instantiations(), source).toBeLessThan(100_000)
    return found
  }
  const sentence = expect.stringMatching(
    /"draw\.shape\.v\d+ takes a number or a Reference"|v\d+: "draw\.shape/,
  )
  try {
    expect(problems('void Tool(right)')).toEqual([])
    expect(problems('void calls.draw(right)')).toEqual([])
    expect(problems('void plan([right])')).toEqual([])
    expect(problems(`void Tool({ _tool: 'draw', shape: wrong })`)).toEqual([sentence])
    expect(problems('void calls.draw({ shape: wrong })')).toEqual([sentence])
    expect(problems(`Activity.register('draw', async () => ({ shape: wrong }))`)).toEqual([
      expect.stringMatching(/"draw\._output\.shape\.v\d+ must be a number"/),
    ])
  } finally {
    editor.close()
  }
})

test('TYPE-7 the tags of an alternative are looked up once for all wrong items of a list', {
  timeout: 60_000,
}, () => {
  const alternatives = Array.from({ length: 60 }, (_, index) =>
    Type.Object({ kind: Type.Literal(`k${index}`), [`v${index}`]: Type.Number() }),
  )
  const draw = define('draw', tool('draw', { shapes: Type.Array(Type.Union(alternatives)) }))
  const items = alternatives.map((_, index) => `{ kind: 'k${index}', v${index}: 'x' }`).join(', ')
  const editor = new Editor(typedSources(buildModel([draw, define('context', context, 'state')]).model), head)
  try {
    expect(editor.problems(`void Tool({ _tool: 'draw', shapes: [${items}] })`)).not.toEqual([])
    // 300,000 where each of 60 alternatives is made anew for each of 60 items.
    expect(editor.instantiations()).toBeLessThan(240_000)
  } finally {
    editor.close()
  }
})

test('TYPE-7 a value that is none of 1,600 constants is explained at once', { timeout: 120_000 }, () => {
  const unit = Type.Union(Array.from({ length: 1600 }, (_, index) => Type.Literal(`unit${index}`)))
  const measure = define('measure', tool('measure', { unit }))
  const editor = new Editor(typedSources(buildModel([measure]).model), head)
  try {
    expect(editor.problems(`void Tool({ _tool: 'measure', unit: 'unit5' })`)).toEqual([])
    const before = process.cpuUsage()
    expect(editor.problems(`void Tool({ _tool: 'measure', unit: 'metre' })`)).toEqual([
      expect.stringContaining('measure.unit takes'),
    ])
    // Two seconds; over ten, when the signatures for an even number of constants were compared with each other.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(6)
  } finally {
    editor.close()
  }
})
