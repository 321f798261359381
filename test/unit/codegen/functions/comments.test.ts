import { expect, test } from 'vitest'
import { read } from './read.ts'

test('TOOL-5, TOOL-9: the doc comment says what the Tool is, and what its parameters may be', () => {
  const { schemas, problems } = read(`
interface Where {
  /**
   * The folder.
   * @minLength 1
   */
  folder: string
  /** @deprecated */
  old?: string
}
/**
 * Finds text.
 * Everywhere.
 *
 * @tool text.search
 * @effects read
 * @title Search
 * @deprecated
 * @outputPath
 * @param query - What to look for. @minLength 2 @pattern ^\\S
 * @param where: Where to look.
 * @param limit How many.
 * @minimum 1
 * @maximum 100
 * @integer
 * @param place.line The line.
 * @param mail @format email
 * @param maybe @minimum 3 @integer
 */
export async function search(query: string, where: Where, place: { line: number }, mail: string, maybe: number | null, limit = 20): Promise<void> {}
`)
  expect(problems).toEqual([])
  expect(schemas['text.search']).toEqual({
    type: 'object',
    description: 'Finds text.\nEverywhere.',
    title: 'Search',
    deprecated: true,
    effects: 'read',
    properties: {
      _tool: { type: 'string', const: 'text.search' },
      query: { type: 'string', minLength: 2, pattern: '^\\S', description: 'What to look for.' },
      where: { $ref: 'Where', description: 'Where to look.' },
      place: {
        type: 'object',
        properties: { line: { type: 'number', description: 'The line.' } },
        required: ['line'],
      },
      mail: { type: 'string', format: 'email' },
      maybe: { anyOf: [{ type: 'integer', minimum: 3 }, { type: 'null' }] },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many.' },
      _outputPath: { type: 'string' },
    },
    required: ['_tool', 'query', 'where', 'place', 'mail', 'maybe'],
    additionalProperties: false,
  })
  expect(schemas.Where).toMatchObject({
    properties: { folder: { minLength: 1, description: 'The folder.' }, old: { deprecated: true } },
  })
})

test('TOOL-5: a word with @ within a line is text, whatever TypeScript takes it for', () => {
  const { schemas, problems } = read(`
interface Target {
  /** Such as @general, or @random. @minLength 2 */
  channel: string
}
/**
 * Posts to @general, or
 * to @here. Not a @tool!
 * @tool post
 * Says it once.
 * @title Post to @all
 * @param text - For @you and
 * \`@code\`. @minLength 1
 * @effects write
 * @example
 * post('x') // @tool other @effects read @nobody
 * @returns What @came.
 */
export function f(text: string, target: Target): string { return text + target.channel }
/**
 * @tool
 * Finds @text.
 */
export function find(): void {}
`)
  expect(schemas.find).toMatchObject({ description: 'Finds @text.' })
  expect(problems).toEqual([])
  expect(schemas.post).toMatchObject({
    description: 'Posts to @general, or\nto @here. Not a @tool!\nSays it once.',
    title: 'Post to @all',
    effects: 'write',
    properties: {
      text: { description: 'For @you and\n`@code`.', minLength: 1 },
      _output: { description: 'What @came.' },
    },
  })
  expect(schemas.Target).toMatchObject({
    properties: { channel: { description: 'Such as @general, or @random.', minLength: 2 } },
  })
})

test('TOOL-5: exports of every kind, and a class whose methods are a toolkit', () => {
  const { implementations, problems } = read(`
/** @tool */
export default async function main(): Promise<void> {}
/** @tool */
const local = async (): Promise<void> => {}
export { local as shown }
/** @tool Post */
export class Mail {
  constructor(readonly from = 'me') {}
  /** @tool */
  async send(to: string): Promise<void> {}
  /** @tool list */
  static async all(): Promise<void> {}
  async helper(): Promise<void> {}
}
export const notTagged = (x: any) => x
`)
  expect(problems).toEqual([])
  expect(Object.keys(implementations)).toEqual(['main', 'local', 'Post.send', 'Post.list'])
  expect(implementations).toMatchObject({
    main: { file: 'fns.ts', exportName: 'default' },
    local: { exportName: 'shown' },
    'Post.send': { exportName: 'Mail', method: { name: 'send', isStatic: false } },
    'Post.list': { method: { name: 'all', isStatic: true } },
  })
})

test('TOOL-5: the comment of a class describes the methods that say nothing of their own', () => {
  const { schemas } = read(`
/** Sends mail. */
export class Mail {
  /** @tool */
  async send(to: string): Promise<void> {}
  /**
   * Lists what was sent.
   * @tool
   */
  async list(): Promise<void> {}
}
`)
  expect(schemas['Mail.send']).toMatchObject({ description: 'Sends mail.' })
  expect(schemas['Mail.list']).toMatchObject({ description: 'Lists what was sent.' })
})

test('types of other files count as inputs, also those that only types are imported from', () => {
  const { schemas, inputs, problems } = read(
    `import type { Place } from './place.ts'
/** @tool */
export const at = async (place: Place, more: string): Promise<void> => {}`,
    { 'place.ts': 'export interface Place { city: string }' },
  )
  expect(problems).toEqual([])
  expect(schemas.Place).toMatchObject({ properties: { city: { type: 'string' } } })
  expect(inputs).toEqual(['fns.ts', 'place.ts'])
})

test('two types of one name stay apart, and a shared schema of TypeBox keeps its own', () => {
  const { schemas } = read(
    `import type { Place as Other } from './place.ts'
interface Place { here: string }
/** @tool */
export const at = async (a: Place, b: Other): Promise<void> => {}`,
    { 'place.ts': 'export interface Place { there: string }' },
  )
  const [first = '', second = ''] = Object.keys(schemas).filter((name) => name !== 'at')
  expect([first, second].map((name) => name.replace(/_\w+$/, '_…')).sort()).toEqual(['Place', 'Place_…'])
  expect(JSON.stringify(schemas)).toContain('"here"')
  expect(JSON.stringify(schemas)).toContain('"there"')
})

test('TOOL-5: the lines below a member of @returns describe it too, up to a blank one or the next @returns', () => {
  const { schemas, problems } = read(`
/**
 * Measures.
 * @tool
 * @returns width - In millimetres,
 *   measured at the widest place.
 * height - In centimetres,
 *   from the floor.
 *
 * All of the box.
 * @returns depth - In metres.
 * @returns Or
 * nothing.
 */
export async function measure(): Promise<{ width: number; height: number; depth: number }> {
  return { width: 1, height: 1, depth: 1 }
}
`)
  expect(problems).toEqual([])
  const { properties = {} } = schemas.measure ?? {}
  expect((properties as Record<string, unknown>)._output).toMatchObject({
    description: 'All of the box.\n\n\nOr\nnothing.',
    properties: {
      width: { description: 'In millimetres,\nmeasured at the widest place.' },
      height: { description: 'In centimetres,\nfrom the floor.' },
      depth: { description: 'In metres.' },
    },
  })
})

test('TOOL-5: several lines of @returns describe a member each; named items of a tuple are described', () => {
  const { schemas, problems } = read(`
/**
 * Measures.
 * @tool
 * @returns The box.
 * @returns width - In millimetres.
 * @returns span - From and to.
 */
export async function measure(): Promise<{ width: number; span: [/** The first. */ from: number, to: number] }> {
  return { width: 1, span: [1, 2] }
}
`)
  expect(problems).toEqual([])
  const { properties = {} } = schemas.measure ?? {}
  expect((properties as Record<string, unknown>)._output).toMatchObject({
    description: 'The box.',
    properties: {
      width: { type: 'number', description: 'In millimetres.' },
      span: {
        description: 'From and to.',
        prefixItems: [{ type: 'number', description: 'The first.' }, { type: 'number' }],
      },
    },
  })
})

const severalLines = `
/**
 * A place,
 * and more of it.
 */
export interface Where {
  /**
   * The folder,
   * below the root.
   * @default a text
   * of two lines
   */
  folder: string
}
export type Span = [
  /**
   * The first line,
   * counted from 1.
   */
  from: number,
  to: number,
]
/**
 * Finds text,
 * everywhere.
 * @tool
 * @title Of
 * two lines
 * @param where Where
 * to look. @default x
 * @param span The lines,
 * both of them.
 * @returns What was
 * found.
 * @returns lines - Which
 * lines.
 */
export async function search(where: Where, span: Span, text = \`a
b\`): Promise<{ lines: string[] }> { return { lines: [text] } }
`

test('TOOL-5 a file says the same with the line ends of Windows', () => {
  const plain = read(severalLines)
  expect(plain.problems).toEqual([])
  expect(read(severalLines.replaceAll('\n', '\r\n'))).toEqual(plain)
})
