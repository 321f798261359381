import { describe, expect, test } from 'vitest'
import { read } from './read.ts'

/** Parameters of one function, and the properties that they give; all in one program, since each costs half a second. */
const parameters: Record<string, { given: string; want: Record<string, unknown>; required?: string[] }> = {
  positional: {
    given: 'a: string, b: number, c: boolean',
    want: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'boolean' } },
  },
  optionalAndDefaults: {
    given:
      "a?: string, b = 20, c: string[] = ['x'], d: boolean = Boolean(1), e = -1.5, f: string | undefined = undefined",
    want: {
      a: { type: 'string' },
      b: { type: 'number', default: 20 },
      c: { type: 'array', items: { type: 'string' }, default: ['x'] },
      d: { type: 'boolean' },
      e: { type: 'number', default: -1.5 },
      f: { type: 'string' },
    },
    required: [],
  },
  oneObject: {
    given: 'options: { a: string; b?: number; signal?: AbortSignal }',
    want: { a: { type: 'string' }, b: { type: 'number' } },
    required: ['a'],
  },
  destructured: {
    given: "{ a, limit = 20, order: by = 'up' }: { a: string; limit?: number; order?: 'up' | 'down' }",
    want: {
      a: { type: 'string' },
      limit: { type: 'number', default: 20 },
      order: { type: 'string', enum: ['down', 'up'], default: 'up' },
    },
    required: ['a'],
  },
  keysByPattern: {
    given: `a: Record<\`x-\${string}\`, number>,
b: { is: boolean; [x: \`x-\${string}\`]: number; [y: \`y\${number}\`]: string }, c: { [key: string]: string | number; [at: number]: string },
d: Partial<Record<\`at-\${string}\`, Date>>`,
    want: {
      a: {
        type: 'object',
        patternProperties: { '^x-[\\s\\S]*$': { type: 'number' } },
        additionalProperties: false,
      },
      b: {
        type: 'object',
        properties: { is: { type: 'boolean' } },
        required: ['is'],
        patternProperties: {
          '^x-[\\s\\S]*$': { type: 'number' },
          '^y-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?$': { type: 'string' },
        },
        additionalProperties: false,
      },
      c: { type: 'object', additionalProperties: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
      d: {
        type: 'object',
        patternProperties: { '^at-[\\s\\S]*$': { type: 'string', format: 'date-time' } },
        additionalProperties: false,
      },
    },
  },
  noKeys: {
    given: 'a: Record<string, never>, b: { [key: string]: never }[]',
    want: {
      a: { type: 'object', additionalProperties: false },
      b: { type: 'array', items: { type: 'object', additionalProperties: false } },
    },
  },
  onlyKeysByPattern: {
    given: `a: Record<\`x-\${string}\`, number>`,
    want: {
      a: {
        type: 'object',
        patternProperties: { '^x-[\\s\\S]*$': { type: 'number' } },
        additionalProperties: false,
      },
    },
  },
  inherited: { given: 'options: Sub', want: { a: { type: 'string' }, b: { type: 'number' } } },
  literals: {
    given: "a: 'x' | 'y' | null, b: 1 | 2 | 'x', c: true, d: 'only', e: boolean | string",
    want: {
      a: { anyOf: [{ type: 'string', enum: ['x', 'y'] }, { type: 'null' }] },
      b: {
        anyOf: [
          { type: 'number', enum: [1, 2] },
          { type: 'string', const: 'x' },
        ],
      },
      c: { type: 'boolean', const: true },
      d: { type: 'string', const: 'only' },
      e: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
    },
  },
  enums: {
    given: 'a: Color, b: Level, c: Color.Red, e: Computed, d = Color.Green',
    want: {
      a: { type: 'string', enum: ['green', 'red'] },
      b: { type: 'number', enum: [0, 1] },
      c: { type: 'string', const: 'red' },
      e: { anyOf: [{ type: 'number', const: 8 }, { type: 'number' }] },
      d: { type: 'string', enum: ['green', 'red'], default: 'green' },
    },
    required: ['a', 'b', 'c', 'e'],
  },
  tuples: {
    given: 'a: [string, number?], b: [boolean, ...string[]], c: readonly number[]',
    want: {
      a: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 1 },
      b: { type: 'array', prefixItems: [{ type: 'boolean' }], items: { type: 'string' }, minItems: 1 },
      c: { type: 'array', items: { type: 'number' } },
    },
  },
  records: {
    given:
      "a: Record<string, number>, b: Record<'x' | 'y', string>, c: { known: string; [key: string]: string }, d: object",
    want: {
      a: { type: 'object', additionalProperties: { type: 'number' } },
      b: {
        type: 'object',
        properties: { x: { type: 'string' }, y: { type: 'string' } },
        required: ['x', 'y'],
      },
      c: {
        type: 'object',
        properties: { known: { type: 'string' } },
        required: ['known'],
        additionalProperties: { type: 'string' },
      },
      d: { type: 'object' },
    },
  },
  dates: {
    given: 'a: Date, b: Date | null, c?: Date[]',
    want: {
      a: { type: 'string', format: 'date-time' },
      b: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      c: { type: 'array', items: { type: 'string', format: 'date-time' } },
    },
    required: ['a', 'b'],
  },
  utility: {
    given:
      "a: Partial<Base>, b: Pick<Sub, 'b'>, c: Base & { z: string }, d: UserName, e: string & { brand: 1 }",
    want: {
      a: { type: 'object', properties: { a: { type: 'string' } } },
      b: { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] },
      c: {
        type: 'object',
        properties: { a: { type: 'string' }, z: { type: 'string' } },
        required: ['a', 'z'],
      },
      d: { type: 'string', pattern: '^user--?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?$' },
      e: { type: 'string' },
    },
  },
  generics: {
    given: 'a: Box<string>, b: Box<number>, c: Page<Base>',
    want: { a: { $ref: 'BoxString' }, b: { $ref: 'BoxNumber' }, c: { $ref: 'PageBase' } },
  },
  recursive: { given: 'a: Tree, b: Json', want: { a: { $ref: 'Tree' }, b: { $ref: 'Json' } } },
  brandedWholes: {
    given: 'a: Date & { brand: 1 }, b: string[] & { brand: 1 }, c: [string] & { brand: 1 }',
    want: {
      a: { type: 'string', format: 'date-time' },
      b: { type: 'array', items: { type: 'string' } },
      c: { type: 'array', prefixItems: [{ type: 'string' }], items: false, minItems: 1 },
    },
  },
  eitherOr: {
    given: 'either: { a: string; b?: never; [Symbol.iterator]: 1 }',
    want: { a: { type: 'string' } },
  },
  ownSignal: {
    given: 'a: string, b: Own.AbortSignal, c: { x: 1; [key: symbol]: string }',
    want: {
      a: { type: 'string' },
      b: { $ref: 'AbortSignal' },
      c: { type: 'object', properties: { x: { type: 'number', const: 1 } }, required: ['x'] },
    },
  },
  signals: { given: 'a: string, signal: AbortSignal, last?: AbortSignal', want: { a: { type: 'string' } } },
  rest: { given: '...a: string[]', want: { a: { type: 'array', items: { type: 'string' } } }, required: [] },
  anything: { given: 'a: unknown', want: { a: {} } },
  underscore: { given: '_from: string', want: { _from: { type: 'string' } } },
  nothing: { given: '', want: {} },
}

const types = `
interface Base { a: string }
interface Sub extends Base { b: number }
enum Color { Red = 'red', Green = 'green' }
enum Level { Low, High }
enum Computed { Length = 'abc'.length, Shifted = 1 << 3 }
interface Box<T> { value: T }
interface Page<T extends Base> { items: T[] }
interface Tree { children?: Tree[] }
namespace Own { export interface AbortSignal { mine: string } }
type UserName = \`user-\${number}\`
type Json = string | Json[] | { [key: string]: Json }
`

const functions = Object.entries(parameters).map(
  ([name, { given }]) => `/** @tool */\nexport async function ${name}(${given}): Promise<void> {}`,
)
const result = read(`${types}\n${functions.join('\n')}`)

describe('TOOL-5: parameters become properties', () => {
  test('without a complaint', () => expect(result.problems).toEqual([]))

  test.each(Object.entries(parameters))('%s', (name, { want, required = Object.keys(want) }) => {
    const { properties, ...schema } = result.schemas[name] as { properties: object }
    expect(properties).toEqual({ _tool: { type: 'string', const: name }, ...want })
    expect(schema).toEqual({
      type: 'object',
      required: expect.toSatisfy((names: string[]) => isSameSet(names, ['_tool', ...required])),
      additionalProperties: false,
      ...(name === 'underscore' && { parameters: ['_from'] }),
    })
  })

  test('TOOL-7: named and recursive types are shared schemas', () => {
    expect(result.schemas).toMatchObject({
      BoxString: { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] },
      PageBase: { properties: { items: { items: { $ref: 'Base' } } } },
      Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: 'Tree' } } } },
      Json: {
        anyOf: [
          { type: 'array', items: { $ref: 'Json' } },
          { type: 'object', additionalProperties: { $ref: 'Json' } },
          { type: 'string' },
        ],
      },
    })
  })
})

const outputs: Record<string, { given: string; tag?: string; want: unknown }> = {
  declared: { given: 'async (): Promise<number> => 1', want: { type: 'number' } },
  inferred: {
    given: 'async () => ({ a: 1, b: [true] })',
    want: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'array', items: { type: 'boolean' } } },
      required: ['a', 'b'],
    },
  },
  synchronous: { given: "() => 'x' as string", want: { type: 'string' } },
  none: { given: 'async () => {}', want: undefined },
  described: {
    given: 'async (): Promise<string[]> => []',
    tag: 'The lines. @maxItems 9',
    want: { type: 'array', items: { type: 'string' }, maxItems: 9, description: 'The lines.' },
  },
  named: {
    given: 'async (): Promise<number> => 1',
    tag: 'temperature - In degrees.',
    want: {
      type: 'object',
      properties: { temperature: { type: 'number', description: 'In degrees.' } },
      required: ['temperature'],
      additionalProperties: false,
    },
  },
  members: {
    given: 'async (): Promise<{\n/** From the type. */ a: number; b: string }> => ({ a: 1, b: "" })',
    tag: 'What came.\n * b - From the tag.',
    want: {
      type: 'object',
      properties: {
        a: { type: 'number', description: 'From the type.' },
        b: { type: 'string', description: 'From the tag.' },
      },
      required: ['a', 'b'],
      description: 'What came.',
    },
  },
  branches: {
    given:
      "async (on = true) => { if (on) return { ok: true as const, value: 1 }; return { ok: false as const, error: 'x' } }",
    want: {
      anyOf: [
        {
          type: 'object',
          properties: { ok: { type: 'boolean', const: false }, error: { type: 'string' } },
          required: ['ok', 'error'],
        },
        {
          type: 'object',
          properties: { ok: { type: 'boolean', const: true }, value: { type: 'number' } },
          required: ['ok', 'value'],
        },
      ],
    },
  },
  maybe: {
    given: 'async (): Promise<{ a: string | undefined; b: Date | null }> => ({ a: undefined, b: null })',
    want: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      },
      required: ['b'],
    },
  },
}

describe('TOOL-5: what is returned becomes _output', () => {
  const sources = Object.entries(outputs).map(
    ([name, { given, tag }]) =>
      `/**\n * @tool\n${tag ? ` * @returns ${tag}\n` : ''} */\nexport const ${name} = ${given}`,
  )
  const { schemas, problems } = read(sources.join('\n'))

  test('without a complaint', () => expect(problems).toEqual([]))
  test.each(Object.entries(outputs))('%s', (name, { want }) => {
    expect((schemas[name] as { properties: Record<string, unknown> }).properties._output).toEqual(want)
  })
})

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && right.every((name) => left.includes(name))
}
