import { join } from 'node:path'
import type { Call } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { compilerOutput } from '../../../types/compiler-output.ts'
import { compilers, compilersToTry } from '../../../types/compilers.ts'
import { callsheet, definition, project } from '../cli/in-terminal.ts'
import { contents, fill } from '../write/temporary-folder.ts'
import { generatedProject, registryOf } from './generated-project.ts'

const source = `
export enum Color { Red = 'red', Green = 'green' }
export interface Stamped<T> { value: T; at: Date }

/** @tool */
export async function positional(a: string, b = 2, signal?: AbortSignal, c?: string) {
  return { text: [a, b, c].join(), aborted: signal?.aborted ?? null }
}
/** @tool */
export const whole = async ({ a, b = 2, signal }: { a: string; b?: number; signal?: AbortSignal }) =>
  ({ text: [a, b].join(), aborted: signal?.aborted ?? null })
/** @tool */
export const keysOf = async (options: { a: string; b?: string }): Promise<string[]> => Object.keys(options)
/** @tool */
export async function dates(list: Stamped<number>[], last: Date | null, table: Record<string, Date>, pair: [Date, string], maybe?: Date): Promise<Stamped<string>[]> {
  const years = [last?.getUTCFullYear(), table.x?.getUTCFullYear(), pair[0].getUTCFullYear(), maybe?.getUTCFullYear()]
  return list.map(({ value, at }) => ({ value: value + ':' + years.join(), at }))
}
export interface Period { 'first seen'?: Date; until?: Date | null; open: boolean }
/** @tool */
export const periods = async (all: Period[], options?: { within?: Period }): Promise<{ longest?: Period; all: Period[] }> =>
  ({ ...(options?.within && { longest: options.within }), all })
/** @tool */
export const tagged = async (tags: readonly (string & { brand: 1 })[], at: Date): Promise<Record<string, readonly Date[]>> =>
  Object.fromEntries(tags.map((tag) => [tag, [at]]))
/** @tool */
export const paint = async (color: Color, id: string & { brand: 1 }): Promise<readonly Color[]> => [color, id ? Color.Green : color]
export interface Loose { a?: string | undefined; list: (number | undefined)[] }
/** @tool */
export const loose = (by: Partial<Record<string, Loose>>): Record<string, Loose | undefined> => by
/** @tool */
export const visits = (days: (Date | undefined)[], by: Partial<Record<string, Date>>, pair: [Date | undefined, number]): { days: (Date | undefined)[]; by: Record<string, Date | undefined>; pair: [Date | undefined, number] } => ({ days, by, pair })
/** @tool */
export const places = (): [number | undefined, Partial<Record<'x' | 'y', number>>] => [1, { x: 2 }]
/** @tool @returns sum - All together. */
export const sum = (...numbers: number[]): number => numbers.reduce((left, right) => left + right, 0)
type Brand = string & { brand: 1 }
/** @tool */
export const pair = (...args: [string, number?]): string => args.join()
/** @tool */
export const maybePair = (...args: [string?, number?]): string => args.join()
/** @tool */
export const stamped = (first: string | undefined, ...args: [Date, Brand]): string => String(first) + args.length
/** @tool */
export const branded = (count = 1, signal?: AbortSignal, ...args: readonly Brand[]): string => args.join() + count + (signal ? '' : '-')
/** @tool */
export const anyOrder = <Name extends Brand>(...args: readonly Name[]): string => args.join()
/** @tool */
export const anything = ({ a, ...more }: { a: object; b: {}; c?: number }): { all: object; more: {} } => ({ all: a, more })
/** @tool */
export const whole2 = (given: object): object => given
/** @tool */
export const nothing = async (): Promise<void> => {}
/** @tool */
export const nested = async (deep: boolean): Promise<string | Promise<number | null>> => (deep ? 'x' : Promise.resolve(null))
/** @tool */
export const wider: (text: string, more?: number) => Promise<unknown> = async (text) => text.length
/** @tool */
export const loud = ((text: Uppercase<string>) => text) satisfies (text: 'A') => string
/** @tool */
export const later = (): PromiseLike<Date> => Promise.resolve(new Date(0))
/** @tool */
export const nestedNothing = async (): Promise<void | Promise<void>> => {}
interface Named { name: string; signal?: AbortSignal }
/** @tool */
export const greet = <N extends Named>(given: N, signal?: AbortSignal): N['name'][] => [...Object.keys(given), String(signal === given.signal)]
interface Empty {}
/** @tool */
export const empty = (one: Empty, two: {}): Empty => ({ one, two })
/** @tool */
export const keyed = (by: { [key: \`x\${number}\`]: number; y: number }, all: { [key: string]: string | number; [at: number]: string }): string => JSON.stringify([by, all])
/** @tool */
export const quoted = (given: { 'abort-signal': AbortSignal; stop: AbortSignal; [Symbol.iterator]?: 1 }): boolean =>
  given['abort-signal'].aborted || given.stop.aborted
/** @tool */
export const shout = <N extends Named>({ name, ...more }: N): string => name.toUpperCase() + Object.keys(more).join()
/** @tool */
export const inherited = (name: string, constructor?: string, toString = 3, ...valueOf: string[]): unknown[] => [name, constructor ?? null, toString, valueOf]
/** @tool */
export const inheriting = (given: { all: { constructor?: string }; toString?: number }): string => JSON.stringify(given)
export class Counter {
  count = 0
  /** @tool */
  next(by = 1): number { this.count += by; return this.count }
  /** @tool */
  static zero(): number { return 0 }
}
/** @tool */
export default function fallback(at: Date): Date { return at }
/** @tool */
const erase = (): string => 'erased'
export { erase as delete, instance, plain as Date }
/** @tool @effects read */
const plain = (signal?: AbortSignal): boolean => signal?.aborted ?? true
/** @tool */
function instance(): number { return 1 }
/** @tool */
export const _context = (signal?: AbortSignal): boolean => signal?.aborted ?? true
`

/** A project with functions and a plain Tool, generated. */
function generated(more: Record<string, string> = {}): Promise<string> {
  return generatedProject({
    'definitions/fns.ts': source,
    'definitions/search.ts': definition('search'),
    'callsheet.config.json': JSON.stringify({ meta: [{ tools: ['keysOf'], _scopes: true }] }),
    ...more,
  })
}

/** What a compiler says about the project's own files. */
function compile(folder: string, compiler: string): string[] {
  return compilerOutput(folder, compiler)
    .split('\n')
    .filter((line) => /^(?:generated|definitions)\//.test(line))
}

/** Calls and what comes back: through the generated registry, to the functions and back. */
const runs: [call: Call, output: unknown][] = [
  [
    { _tool: 'positional', a: 'x' },
    { text: 'x,2,', aborted: false },
  ],
  [
    { _tool: 'positional', a: 'x', b: 5, c: 'z' },
    { text: 'x,5,z', aborted: false },
  ],
  [
    { _tool: 'whole', a: 'x' },
    { text: 'x,2', aborted: false },
  ],
  [
    {
      _tool: 'keysOf',
      a: 'x',
      _reasoningForCall: 'to see',
      _activity: 'keysOf',
      _output: [],
      _scopes: ['state'],
    },
    ['a'],
  ],
  [{ _tool: 'loose', by: { one: { a: 'x', list: [1] } } }, { one: { a: 'x', list: [1] } }],
  [{ _tool: 'places' }, [1, { x: 2 }]],
  [
    {
      _tool: 'visits',
      days: ['2020-01-01T00:00:00Z'],
      by: { x: '2021-01-01T00:00:00Z' },
      pair: ['2022-01-01T00:00:00Z', 1],
    },
    {
      days: ['2020-01-01T00:00:00.000Z'],
      by: { x: '2021-01-01T00:00:00.000Z' },
      pair: ['2022-01-01T00:00:00.000Z', 1],
    },
  ],
  [
    {
      _tool: 'dates',
      list: [{ value: 1, at: '2020-01-01T00:00:00.000Z' }],
      last: null,
      table: { x: '2021-01-01T00:00:00.000Z' },
      pair: ['2022-01-01T00:00:00.000Z', ''],
    },
    [{ value: '1:,2021,2022,', at: '2020-01-01T00:00:00.000Z' }],
  ],
  [
    {
      _tool: 'periods',
      all: [
        { open: true, until: null },
        { open: false, 'first seen': '2020-01-01T00:00:00.000Z' },
      ],
      options: { within: { open: true } },
    },
    {
      longest: { open: true },
      all: [
        { open: true, until: null },
        { open: false, 'first seen': '2020-01-01T00:00:00.000Z' },
      ],
    },
  ],
  [{ _tool: 'tagged', tags: ['a'], at: '2020-01-01T00:00:00.000Z' }, { a: ['2020-01-01T00:00:00.000Z'] }],
  [{ _tool: 'paint', color: 'red', id: 'x' }, ['red', 'green']],
  [{ _tool: 'sum', numbers: [1, 2, 3] }, { sum: 6 }],
  [{ _tool: 'sum' }, { sum: 0 }],
  [{ _tool: 'pair', args: ['x', 1] }, 'x,1'],
  [{ _tool: 'maybePair' }, ''],
  [{ _tool: 'stamped', first: 'x', args: ['2020-01-01T00:00:00Z', 'y'] }, 'x2'],
  [{ _tool: 'branded' }, '1'],
  [{ _tool: 'branded', count: 2, args: ['x', 'y'] }, 'x,y2'],
  [{ _tool: 'anyOrder', args: ['x'] }, 'x'],
  [
    { _tool: 'anything', a: { x: 1 }, b: {}, _activity: 'anything' },
    { all: { x: 1 }, more: { b: {} } },
  ],
  [{ _tool: 'whole2', given: { x: 1 } }, { x: 1 }],
  [{ _tool: 'nothing' }, undefined],
  [{ _tool: 'nested', deep: false }, null],
  [{ _tool: 'nested', deep: true }, 'x'],
  [{ _tool: 'later' }, '1970-01-01T00:00:00.000Z'],
  [{ _tool: 'nestedNothing' }, undefined],
  [{ _tool: 'wider', text: 'abc' }, 3],
  [{ _tool: 'loud', text: 'A' }, 'A'],
  [{ _tool: 'greet', name: 'a', _activity: 'greet' }, ['name', 'signal', 'true']],
  [
    { _tool: 'empty', one: { a: 1 }, two: {} },
    { one: { a: 1 }, two: {} },
  ],
  [{ _tool: 'keyed', by: { y: 1, x1: 2 }, all: { 1: 'a' } }, '[{"y":1,"x1":2},{"1":"a"}]'],
  [{ _tool: 'quoted' }, false],
  [{ _tool: 'shout', name: 'a' }, 'Asignal'],
  [{ _tool: 'inherited', name: 'x' }, ['x', null, 3, []]],
  [{ _tool: 'inherited', name: 'x', constructor: 'y', toString: 4, valueOf: ['z'] }, ['x', 'y', 4, ['z']]],
  [{ _tool: 'inheriting', all: { constructor: 'x' } }, '{"all":{"constructor":"x"}}'],
  [{ _tool: 'Counter.next', by: 2 }, 2],
  [{ _tool: 'Counter.next' }, 3],
  [{ _tool: 'Counter.zero' }, 0],
  [{ _tool: 'fallback', at: '2020-01-01T00:00:00Z' }, '2020-01-01T00:00:00.000Z'],
  [{ _tool: 'fallback', at: '2016-12-31T23:59:60Z' }, '2017-01-01T00:00:00.000Z'],
  [{ _tool: 'erase' }, 'erased'],
  [{ _tool: 'instance' }, 1],
  [{ _tool: 'plain' }, false],
  [{ _tool: '_context' }, false],
]

const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error'

describe('TOOL-5: generated code for functions', () => {
  test('GEN-8: type-checks under every supported compiler, and GEN-7: stops when a function changes', async () => {
    const folder = await generated()
    for (const version of compilersToTry) expect(compile(folder, compilers[version])).toEqual([])
    fill(folder, { 'definitions/fns.ts': source.replace('positional(a: string', 'positional(a: number') })
    expect(compile(folder, 'typescript')).toEqual([
      expect.stringMatching(/^generated\/functions\.ts\(.*'string' is not assignable/),
    ])
  })

  test('runs them: arguments by place or as one object, signals, Dates, named outputs, methods', async () => {
    const Tool = await registryOf(await generated())
    const outcomes = []
    for (const [call] of runs) outcomes.push(await Tool.run(call))
    expect(outcomes.map(({ error }) => error)).toEqual(runs.map(() => undefined))
    expect(outcomes.map(({ output }) => output)).toEqual(runs.map(([, output]) => output))
  })

  test('a rest parameter with items that the function needs is required', async () => {
    const Tool = await registryOf(await generated())
    const { error } = await Tool.run({ _tool: 'pair' })
    expect(error).toMatchObject({ code: 'invalid_call' })
  })

  test('ACT-3a: index.ts imports no implementation, and the Tools compose as explicit', async () => {
    const files = contents(join(await generated(), 'generated'))
    expect(
      Object.entries(files)
        .filter(([, text]) => text.includes('definitions/fns'))
        .map(([path]) => path),
    ).toEqual(['functions.ts'])
    expect(files['index.ts']).not.toContain('functions')
    expect(files['composed/json-schema.json']).toContain('"_activity":{"type":"string","const":"paint"}')
    expect(files['composed/json-schema.json']).toContain('"_activity":{"type":"string","const":""}')
  })

  test('a re-exported function is a Tool once, and a file that only re-exports is read without being run', async () => {
    const folder = await generated({
      'src/far.ts': `import './gone.js'
/** @tool */
export const far = (): string => 'far'
/** @tool */
export const hidden = (): bigint => 1n
export class Kit {
  /** @tool */
  use(): void {}
}
/** @tool Kit */
export class Other {
  /** @tool */
  more(): void {}
}
`,
      'src/one.ts': '/** @tool one */\nexport const run = (): void => {}\n',
      'src/two.ts': '/** @tool two */\nexport const run = (): void => {}\n',
      'definitions/runs.ts': "export * as one from '../src/one.ts'\nexport * as two from '../src/two.ts'\n",
      'src/gone.ts': "throw new Error('ran')\n",
      'src/chain.ts':
        "export { far as chained, Kit, Other } from './far.js'\nexport type { Kit as K } from './far.js'\n",
      'definitions/barrel.ts': "export * from './fns.js'\nexport * from '../src/chain.js'\n",
      'definitions/again.ts': "// Once more\nimport { far } from '../src/far.ts'\nexport { far }\n",
      'definitions/space.ts': "export * as all from '../src/chain.ts'\n",
      'definitions/mixed.ts': `export { upper } from '../src/upper.ts'\n${definition('mixed')}`,
      'src/upper.ts': '/** @tool */\nexport const upper = (text: string): string => text.toUpperCase()\n',
    })
    const functions = contents(folder)['generated/functions.ts'] ?? ''
    // GEN-2: of several exports of one name, each is named by its Tool.
    expect(functions).toContain('default as fallback')
    expect(functions).toContain("import { run as one } from '../src/one.ts'")
    expect(functions).toContain('const instanceOfKit = new Kit()')
    expect(functions).toContain("Activity.register('Kit.more', () => instanceOfOther.more())")
    expect(functions).toContain("import { Kit, Other, far } from '../src/far.ts'")
    expect(functions).toContain("Activity.register('upper', (call) => upper(call.text))")
    expect(functions).toContain("Activity.register('Kit.use'")
    expect(functions).not.toContain('hidden')
  })

  test('what the compiler finds by an alias or an import of the package is re-exported, and beside other Tools not run', async () => {
    const fn = (name: string) =>
      `import './gone.ts'\n/** @tool */\nexport const ${name} = (): string => '${name}'\n`
    const folder = project({
      'package.json': JSON.stringify({
        type: 'module',
        imports: { '#deep/*': [{ node: './src/*.ts' }], '#in': './src/inner.ts' },
      }),
      'base/tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["../none/*", "../src/*"] } } }',
      'tsconfig.json': '{ "extends": "./base/tsconfig.json", "compilerOptions": { "module": "nodenext" } }',
      'src/gone.ts': "throw new Error('ran')\n",
      ...Object.fromEntries(
        ['alias', 'deep', 'inner', 'beside', 'listed', 'far'].map((name) => [`src/${name}.ts`, fn(name)]),
      ),
      'src/used.ts': "/** @tool */\nexport const used = (): string => 'used'\nexport const limit = 3\n",
      'definitions/pure.ts':
        "export * from '@/alias.js'\nexport { deep } from '#deep/deep'\nexport * from '#in'\n",
      'definitions/mixed.ts': `export { beside as near } from '../src/beside.js'\n${definition('mixed')}`,
      'definitions/barrel.ts': `import { listed } from '@/listed.js'
export { listed }
export * from './mixed.js'
export * from '../src/chain.js'
export { used } from '../src/used.js'
`,
      'src/chain.ts': "export { far } from '#deep/far'\n",
      'definitions/user.ts': `import { limit } from '../src/used.js'
import { Type } from 'typebox'
export const user = Type.Object({ _tool: Type.Literal('user'), n: Type.Literal(limit) })
`,
    })
    const { code, out } = await callsheet(folder, ['generate', '--format', 'json'])
    const files = contents(folder)
    expect({ code, problems: JSON.parse(out).findings.filter(isError) }).toEqual({ code: 0, problems: [] })
    expect(files['generated/functions.ts']?.match(/(?<=register\(')\w+/g)).toEqual([
      'alias',
      'beside',
      'deep',
      'far',
      'inner',
      'listed',
      'used',
    ])
    expect(files['generated/schemas.ts']).toContain('"const":3')
  })

  test('a re-export that esbuild finds and the compiler does not is an error', async () => {
    const folder = project({
      'package.json': '{ "type": "module", "imports": { "#fn": "./src/fn.ts" } }',
      'tsconfig.json': '{ "compilerOptions": { "module": "esnext", "moduleResolution": "node10" } }',
      'src/fn.ts': '/** @tool */\nexport const fn = (): void => {}\n',
      'src/chain.ts': "export * from '#fn'\n",
      'definitions/one.ts': '/** @tool */\nexport const one = (): void => {}\n',
      'definitions/two.ts': "export * from '../src/chain'\n",
    })
    expect(await callsheet(folder, ['generate'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^src\/chain\.ts:1:15 error function-diagnostic: .*Cannot find module '#fn'/,
      ),
    })
  })

  test('a re-export of a name that is not there is an error, though nothing is run', async () => {
    const folder = project({
      'src/fn.ts': '/** @tool */\nexport const fn = (): void => {}\n',
      'src/x.ts/index.ts': 'export {}\n',
      'definitions/a.ts': "export { fun } from '../src/fn.js'\n",
      'definitions/b.ts': "import { default as fn } from '../src/fn.js'\nexport { fn }\n",
    })
    const { code, err } = await callsheet(folder, ['generate'])
    expect({
      code,
      places: err.match(/^definitions\S+ error function-diagnostic.*(?:fun|default)/gm)?.length,
    }).toEqual({
      code: 1,
      places: 2,
    })
    fill(folder, { 'definitions/a.ts': "export * from '../src/x.js'\n" })
    expect((await callsheet(folder, ['generate'])).err).toMatch(
      /^definitions\/a\.ts:1:15 error unreadable-file/,
    )
  })

  test('a file that re-exports only constants of a file with functions declares nothing, which is an error', async () => {
    const functions = 'export const limit = 5\n/** @tool */\nexport const fn = (): void => {}\n'
    const folder = project({
      'src/fn.ts': functions,
      'definitions/all.ts': "export * from '../src/fn.js'\n",
      'definitions/constants.ts': "export { limit } from '../src/fn.js'\n",
      'definitions/own.ts': functions.replaceAll('fn', 'own'),
      'definitions/passing.ts': "export { limit } from './own.js'\n",
    })
    const { code, err } = await callsheet(folder, ['generate'])
    expect({ code, errors: err.match(/^.* error .*$/gm) }).toEqual({
      code: 1,
      errors: [
        'definitions/constants.ts:1:1 error exports-nothing: definitions/constants.ts exports limit, none of which is a Tool or a schema.',
      ],
    })
  })

  test('a function in a file that no import can name is refused, with what to do', async () => {
    const folder = project({
      'callsheet.config.json': '{ "definitions": "c#/fns.ts", "output": "c#/out" }',
      'c#/fns.ts': '/** @tool */\nexport const near = (): void => {}\n',
    })
    expect((await callsheet(folder, ['generate'])).code).toBe(0)
    fill(folder, { 'callsheet.config.json': '{ "definitions": "c#/fns.ts" }' })
    expect(await callsheet(folder, ['generate'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^c#\/fns\.ts:2:14 error function-shape: Tool "near": .* reads "#" in an import/,
      ),
    })
  })

  test('a file of functions is read without being run; one that also declares Tools by value is run', async () => {
    const folder = await generated({
      'definitions/service.ts':
        "/** @tool */\nexport async function ask(q: string): Promise<void> {}\nthrow new Error('no service here')\n",
    })
    expect(contents(folder)['generated/functions.ts']).toContain("'ask'")
  })
})
