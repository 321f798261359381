import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { compile, copyOfExample, example, install } from './monorepo.ts'
import { run } from './packed.ts'

interface Change {
  readonly title: string
  /** Path below `contracts/definitions`. */
  readonly file: string
  readonly from: string | RegExp
  readonly to: string
  /** The files that must stop compiling, and no others. */
  readonly breaks: readonly string[]
}

const changes: readonly Change[] = [
  {
    title: 'a parameter that only the worker reads goes',
    file: 'distance.ts',
    from: / {4}unit: .*\n/,
    to: '',
    breaks: ['worker/src/activities/distance.ts'],
  },
  {
    title: 'a parameter that only the agent gives goes',
    file: 'book-courier.ts',
    from: / {4}note: .*\n/,
    to: '',
    breaks: ['agent/src/quote.ts'],
  },
  {
    title: 'an output member that both use gets another name',
    file: 'distance.ts',
    from: 'length:',
    to: 'distance:',
    breaks: ['agent/src/quote.ts', 'worker/src/activities/distance.ts'],
  },
  {
    title: 'a parameter becomes required',
    file: 'find-place.ts',
    from: /Type\.Optional\((Type\.String\({ description: 'Needed.*}\))\)/,
    to: '$1',
    breaks: ['agent/src/quote.ts'],
  },
  {
    title: 'a Tool is added',
    file: 'find-place.ts',
    from: /$/,
    to: "export const findStreet = tool('findStreet', { name: Type.String(), _output: Position })\n",
    breaks: ['worker/src/activities.ts'],
  },
  {
    title: 'a Tool gets another name',
    file: 'book-courier.ts',
    from: "'bookCourier'",
    to: "'callCourier'",
    breaks: [
      'agent/src/main.ts',
      'agent/src/quote.ts',
      'worker/src/activities.ts',
      'worker/src/activities/book-courier.ts',
    ],
  },
  {
    title: 'an optional parameter is added and a description is worded anew',
    file: 'find-place.ts',
    from: "description: 'A city' }),",
    to: "description: 'A city or town' }), region: Type.Optional(Type.String()),",
    breaks: [],
  },
]

const fileOf = (error: string): string => error.slice(0, error.indexOf('('))

describe('GEN-7 a change of the contract breaks exactly what it should:', () => {
  let folder = ''
  const contracts = (): string => join(folder, 'contracts')
  const generate = () =>
    run(contracts(), process.execPath, join(folder, 'node_modules/callsheet/dist/cli.js'), 'generate')

  beforeAll(() => {
    folder = copyOfExample()
    install(folder)
  })
  afterEach(() =>
    cpSync(join(example, 'contracts/definitions'), join(contracts(), 'definitions'), { recursive: true }),
  )

  test.each(changes)('$title', ({ file, from, to, breaks }) => {
    const path = join(contracts(), 'definitions', file)
    const before = readFileSync(path, 'utf8')
    const after = before.replace(from, to)
    expect(after).not.toBe(before)
    writeFileSync(path, after)
    expect(generate()).toMatchObject({ code: 0 })
    expect([...new Set(compile(folder, 'changed').map(fileOf))].sort()).toEqual(breaks)
  })

  test('the unchanged contract breaks nothing', () => {
    expect(generate()).toMatchObject({ code: 0 })
    expect(compile(folder, 'changed')).toEqual([])
  })
})
