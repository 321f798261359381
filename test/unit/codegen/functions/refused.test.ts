import { describe, expect, test } from 'vitest'
import { read, readFiles } from './read.ts'

const types = `
class Service { run(): void {} }
interface Stamped { at: Date; next?: Stamped }
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T
`

/** What must not be in a signature, as one line each; with what the finding has to say. */
const lines: [source: string, column: number, rule: string, message: string][] = [
  ['export async function a(x: any): Promise<void> {}', 25, 'function-type', 'parameter x: the type is any'],
  ['export async function b(x: { y: any[] }): Promise<void> {}', 30, 'function-type', 'y[]: the type is any'],
  ['export async function c(x: bigint): Promise<void> {}', 25, 'function-type', 'a bigint has no JSON form'],
  ['export async function d(x: symbol): Promise<void> {}', 25, 'function-type', 'a symbol has no JSON form'],
  [
    'export async function e(done: () => void): Promise<void> {}',
    25,
    'function-type',
    'a function has no JSON form',
  ],
  [
    'export async function f(x: Map<string, number>): Promise<void> {}',
    25,
    'function-type',
    'Map<string, number> has no JSON form',
  ],
  [
    'export async function g(): Promise<Set<string>> { return new Set() }',
    28,
    'function-type',
    'Set<string> has no JSON form',
  ],
  ['export async function h(x: Service): Promise<void> {}', 25, 'function-type', 'Service is a class'],
  ['export async function i(x: Date | string): Promise<void> {}', 25, 'function-type', 'a Date in a union'],
  ['export async function j(x: never): Promise<void> {}', 25, 'function-type', 'never'],
  [
    'export async function k(x: string, { y }: { y: string }): Promise<void> {}',
    36,
    'function-shape',
    'has no name',
  ],
  [
    'export async function l(_output: string): Promise<void> {}',
    1,
    'function-shape',
    'the name of a meta-field',
  ],
  [
    'export async function y(x: Frozen<{ id: string & { brand: 1 } }>): Promise<void> {}',
    25,
    'function-type',
    'an object with methods of a branded text',
  ],
  [
    'export function z(valueOf?: Date): void {}',
    19,
    'function-type',
    'an optional Date has a name that every',
  ],
  [
    'export function aa(x: { constructor?: { at: Date } }, y: 1): void {}',
    25,
    'function-type',
    'an optional Date has a name that every',
  ],
  ['async function m(): Promise<void> {}', 1, 'function-shape', '"m" is not exported'],
  ['export function p(this: { a: 1 }): void {}', 19, 'function-shape', 'needs a `this`'],
  [
    'export function u<Key extends string, T extends Record<Key, number>>(x: T, y: 1): void {}',
    70,
    'function-type',
    'the keys of the object are a type parameter',
  ],
  [
    'export function v<Key extends "a" | "b">(x: { [each in Key]: number }): void {}',
    42,
    'function-type',
    'the keys of the object are a type parameter',
  ],
  [
    `export function w(x: { [key: \`a\${string}\`]: Date; [key: \`b\${string}\`]: string }): void {}`,
    19,
    'function-type',
    'a Date in an object with free keys beside other keys',
  ],
  [
    'export function x(given: { b: { signal: AbortSignal } }): void {}',
    33,
    'function-type',
    'Tool "x", parameter b.signal: AbortSignal has no JSON form',
  ],
  ['export const n = 12', 1, 'function-shape', 'not a function'],
  [
    'export function o(x: string): void; export function o(x: number): void; export function o(x: unknown): void {}',
    1,
    'function-shape',
    'overloads',
  ],
  [
    'export class P { constructor(url: string) {}\n/** @tool */ run(): void {} }',
    1,
    'function-shape',
    'made with arguments',
  ],
  [
    'export const s: { (x: string): string; (x: number): number } = (x: any) => x',
    1,
    'function-shape',
    'overloads',
  ],
  ['export default async () => {}', 1, 'function-shape', 'without a name'],
  [
    'export async function q(): Promise<string | undefined> { return undefined }',
    28,
    'function-type',
    'undefined beside other values',
  ],
  ['export const r = (x: number) => (x > 1 ? { x } : undefined)', 18, 'function-type', 'undefined beside'],
]

test('TOOL-5: a tag within a line may be prose, and makes no function a Tool', () => {
  const { schemas, problems } = read(`/**
 * The first. @tool
 */
export function first(x: string): string { return x }
/** Used by every @tool */
export function helper(x: string): string { return x }
export class Kit {
  /** Serves each @tool call. */
  run(x: string): string { return x } }
/** Writes to me@tool.com, and has no \`@tool\`. */
export function prose(x: string): string { return x }
/** @tool named */
export function fourth(x: string): string { return x }
`)
  expect(Object.keys(schemas)).toEqual(['named'])
  expect(problems).toEqual(
    ['2:15', '5:19', '8:19'].map(
      (place) =>
        `fns.ts:${place} function-shape @tool stands within a line, so it could be part of a sentence.`,
    ),
  )
})

test('TOOL-5: in what a definition file re-exports as well, and nowhere else in that file', () => {
  const { schemas, problems } = read("export { first, Kit } from './far.js'", {
    'far.ts': `/** The first. @tool */
export function first(x: string): string { return x }
/** Not for every @tool */
export function helper(x: string): string { return x }
const inner = { /** @tool */ run() {} }
export class Kit {
  /** @tool */
  add(x: string): string { return x }
  /** Lists them. @tool */
  list(): string { return 'x' }
  take(): void { /** @tool */ }
}
`,
  })
  expect(Object.keys(schemas)).toEqual(['Kit.add'])
  expect(problems).toEqual([
    'far.ts:1:16 function-shape @tool stands within a line, so it could be part of a sentence.',
    'far.ts:9:19 function-shape @tool stands within a line, so it could be part of a sentence.',
    'far.ts:11:18 function-shape @tool stands where no exported function, and no method of an exported class, begins.',
  ])
})

test('TOOL-5: an error of syntax in what is re-exported is one, though functions are found', () => {
  const near = "export * from './middle.js'"
  const far = `/** @tool */
export function first(x: string): string { return x
/** @tool */
export function second(x: string): string { return x }
`
  const { schemas, problems } = readFiles(
    { 'near.ts': near, 'again.ts': near, 'own.ts': '/** @tool */\nexport function own(): void {}\n' },
    { 'middle.ts': "export * from './far.js'", 'far.ts': far },
  )
  expect(Object.keys(schemas)).toEqual(['own'])
  expect(problems.map((problem) => problem.split(':').slice(0, 2).join(':'))).toEqual(['far.ts:5'])
})

describe('TOOL-5: what is no Tool is an error with its place, all at once', () => {
  const sources = lines.map(([source]) =>
    source.startsWith('export class') ? source : `/** @tool */\n${source}`,
  )
  const text = `${types}\n${sources.join('\n')}\n`
  const { problems, fixes, schemas } = read(text)
  const lineOf = (source: string): number => text.slice(0, text.indexOf(source)).split('\n').length

  test.each(lines)('%s', (source, column, rule, message) => {
    const place = `fns.ts:${lineOf(source)}:${column} ${rule} `
    const found = problems.filter((problem) => problem.startsWith(place))
    expect({ found, problems: found.length === 0 ? problems : [] }).toEqual({
      found: expect.arrayContaining([expect.stringContaining(message)]),
      problems: [],
    })
  })

  test('each with a way out, and nothing else', () => {
    expect(problems.length).toBe(lines.length)
    expect(schemas.l).not.toHaveProperty('parameters')
    expect(fixes.every((fix) => fix.length > 10)).toBe(true)
  })
})

test('TOOL-5: a tsconfig.json that cannot be read is reported with its place', () => {
  const { problems } = read('/** @tool */\nexport function a(): void {}\n', {
    'tsconfig.json': '{\n  "a": ,\n}',
  })
  expect(problems).toEqual([
    'tsconfig.json:2:8 unreadable-file tsconfig.json cannot be read: Expression expected.',
  ])
})

test('a type that is not there: what TypeScript says about it comes first', () => {
  const { problems } = read('/** @tool */\nexport async function a(x: Strng): Promise<void> {}\n')
  expect(problems.sort()).toEqual([
    expect.stringContaining('fns.ts:2:25 function-type'),
    expect.stringContaining(
      "fns.ts:2:28 function-diagnostic TypeScript cannot make sense of it: Cannot find name 'Strng'",
    ),
  ])
})

test('a file that does not parse is reported alone', () => {
  const { problems } = read('/** @tool */\nexport async function a(x: string {}\n')
  expect(problems[0]).toMatch(/^fns\.ts:2:\d+ function-diagnostic /)
  expect(problems.some((problem) => problem.includes('function-type'))).toBe(false)
})

test('a type that grows without end, and a class that cannot be made', () => {
  const { problems } = read(`interface Deep<T> { value: T; next?: Deep<T[]> }
/** @tool */
export async function a(x: Deep<string>, y: string): Promise<void> {}
export abstract class Base {
  /** @tool */
  go(): void {}
}`)
  expect(problems.sort()).toEqual([
    expect.stringContaining('the type grows without end'),
    expect.stringContaining('Class "Base" is abstract'),
  ])
})

test('a Date within a type that contains itself', () => {
  const { problems } = read(`interface Log { at: Date; before?: Log }
/** @tool */
export async function a(x: Log, y: string): Promise<void> {}`)
  expect(problems).toEqual([expect.stringContaining('a Date in a type that contains itself')])
})

const tags: [tag: string, message: string][] = [
  ['@param x @minimum many', '@minimum has to be followed by a number; got "many"'],
  ['@param x @minLength -1', '@minLength has to be followed by a whole number'],
  ['@param x @pattern /a/', '@pattern has to be followed by a regular expression without slashes'],
  ['@param x @pattern (', '@pattern'],
  ['@param y Not there.', '@param y names no parameter; there is x'],
  ['@param x @minimun 1', 'Callsheet reads no tag @minimun. Did you mean @minimum?'],
  ['@maximum 9\n * @param x The number.', '@maximum stands before every @param and @returns'],
  ['@param x @minimum 1', '@param x: @minimum limits nothing here'],
  ['@param x @integer', '@param x: @integer limits nothing here'],
  ['@returns sum - All. @maxItems 1', 'what it returns: @maxItems limits nothing here'],
  ['@title', '@title has to be followed by a text'],
  ['@effects read\n * @effects write', '@effects occurs twice, with different texts.'],
  ['@effect write', 'Callsheet reads no tag @effect. Did you mean @effects?'],
  ['@outputpath †state.a', 'Callsheet reads no tag @outputpath. Did you mean @outputPath?'],
  ['@effects raed', '@effects has to be one of read, idempotent, write; got "raed". Did you mean "read"?'],
]
describe('TOOL-5: tags that say nothing are errors', () => {
  const { problems } = read(
    tags
      .map(
        ([tag], index) =>
          `/**\n * @tool\n * ${tag}\n */\nexport async function t${index}(x: string): Promise<string> { return x }`,
      )
      .join('\n'),
  )
  test.each(tags)('%s', (_tag, message) => {
    expect(problems).toEqual(expect.arrayContaining([expect.stringContaining(message)]))
  })
})

describe('TOOL-5 a tag that belongs to no function is never ignored, and what cannot be called is refused', () => {
  const stray =
    'function-shape @tool stands where no exported function, and no method of an exported class, begins.'
  const cases: Record<string, { source: string; problems: string[] }> = {
    'on the line of an opening brace': {
      source: 'export class A { /** @tool */ go(): void {} }',
      problems: [`1:18 ${stray}`],
    },
    'in an interface': {
      source: 'export interface A {\n  /** @tool */\n  go(): void\n}',
      problems: [`2:3 ${stray}`],
    },
    'in an object': {
      source: 'export const a = {\n  /** @tool */\n  go(): void {},\n}',
      problems: [`2:3 ${stray}`],
    },
    'in a function': {
      source: 'export function a(): void {\n  /** @tool */\n  function go(): void {}\n  go()\n}',
      problems: [`2:3 ${stray}`],
    },
    'in a namespace': {
      source: 'export namespace A {\n  /** @tool */\n  export function go(): void {}\n}',
      problems: [`2:3 ${stray}`],
    },
    'before a value': {
      source: 'export const a = /** @tool */ (): void => {}',
      problems: [`1:18 ${stray}`],
    },
    'at the end': { source: 'export function a(): void {}\n/** @tool */', problems: [`2:1 ${stray}`] },
    'in a text, which is no tag': {
      source: 'export const text = `\n/** @tool */\n`\nexport const a = 1',
      problems: [],
    },
    'of a function after another comment': {
      source: '/** @tool */\n// beside\nexport function one(): void {}',
      problems: [],
    },
    'of a method': { source: 'export class A {\n  /** @tool */\n  two(): void {}\n}', problems: [] },
    'of a function that is only declared': {
      source: '/** @tool */\nexport declare function a(): void',
      problems: ['is only declared'],
    },
    'of a class with a private constructor': {
      source: 'export class A {\n  private constructor() {}\n  /** @tool */\n  go(): void {}\n}',
      problems: ['is private'],
    },
    'of a class with an inherited constructor': {
      source:
        'class B { constructor(readonly url: string) {} }\nexport class A extends B {\n  /** @tool */\n  go(): void {}\n}',
      problems: ['made with arguments'],
    },
  }
  const names = Object.keys(cases)
  const fileOf = (name: string): string => `case${names.indexOf(name)}.ts`
  const { problems } = readFiles(
    Object.fromEntries(Object.entries(cases).map(([name, { source }]) => [fileOf(name), source])),
  )

  test.each(names)('%s', (name) => {
    const found = problems.filter((problem) => problem.startsWith(`${fileOf(name)}:`))
    expect(found).toEqual(cases[name]?.problems.map((problem) => expect.stringContaining(problem)))
  })
})
