import fc from 'fast-check'
import ts from 'typescript-6.0'
import { expect, test } from 'vitest'
import { readSource } from '../../codegen/registrations/read-source.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'

/** What an expression is: the generated module, its Activity, or its function. */
type Kind = 'module' | 'Activity' | 'register'

/** A way to come from one kind to another: statements for a new name, or for a member of what they are given. */
interface Way {
  readonly from?: Kind
  readonly to: Kind
  readonly write: (name: string, given: string) => string
}

const path = `'./generated/index.js'`
const ways: readonly Way[] = [
  { to: 'Activity', write: (name) => `import { type Call, Activity as ${name} } from ${path}` },
  { to: 'Activity', write: (name) => `import{Activity as ${name},Tool as ${name}Tool}from${path};` },
  { to: 'module', write: (name) => `import * as ${name} from ${path}` },
  { to: 'module', write: (name) => `import ${name} = require(${path})` },
  { to: 'module', write: (name) => `const ${name} = await import(/* later */ ${path})` },
  { to: 'module', write: (name) => `const ${name}: any = require(${path});` },
  {
    to: 'module',
    write: (name) => `let ${name}: Generated | undefined\n${name} = await import(\`${path.slice(1, -1)}\`)`,
  },
  {
    to: 'Activity',
    write: (name) => `const { Tool: ${name}Tool, Activity: ${name} } = (await import(${path}))`,
  },
  { to: 'Activity', write: (name) => `const { Activity: ${name} }: Generated = require(${path})` },
  { from: 'module', to: 'Activity', write: (name, given) => `const { Activity: ${name} } = ${given}` },
  { from: 'module', to: 'Activity', write: (name, given) => `const ${name} = ${given}.Activity;` },
  { from: 'Activity', to: 'Activity', write: (name, given) => `const ${name} = ${given}\n` },
  { from: 'Activity', to: 'Activity', write: (name, given) => `let ${name}: typeof ${given} = ${given};` },
  { from: 'Activity', to: 'register', write: (name, given) => `const { register: ${name} } = ${given}` },
  { from: 'Activity', to: 'register', write: (name, given) => `const ${name} = ${given}.register` },
  {
    from: 'Activity',
    to: 'register',
    write: (name, given) => `var ${name} = ${given}.register.bind(${given})`,
  },
]
const given: readonly Way[] = (['module', 'Activity', 'register'] as const).flatMap((kind) =>
  [
    (name: string, from: string) => `const { at: ${name} } = { other: 1, 'at': ${from} }`,
    (name: string, from: string) => `const ${name}s = { ...{ at: ${from} } }; const ${name} = ${name}s['at']`,
    (name: string, from: string) => `const [, ${name}] = await Promise.all([1, ${from}])`,
    (name: string, from: string) => `const ${name} = (${name}Is => ${name}Is)(${from} as unknown)`,
    (name: string, from: string) =>
      `function ${name}Of({ it = ${from} } = {}) { return it }\nconst ${name} = ${name}Of()`,
    (name: string, from: string) =>
      `class ${name}C { constructor(readonly ${name}F) {} }\nconst ${name} = new ${name}C(${from}).${name}F`,
    (name: string, from: string) => `let ${name}\nif (run) { ${name} = ${from} satisfies unknown }`,
    (name: string, from: string) => `const ${name} = globalThis.none ?? (run ? ${from}! : run)`,
    (name: string, from: string) => `run.${name}P = ${from}\nconst { ${name}P: ${name} } = run`,
    (name: string, from: string) =>
      `async function ${name}Of() { if (run) return ${from} }\nconst ${name} = await ${name}Of()`,
    (name: string, from: string) => `let ${name}; for (const it of [0]) ({ it: ${name} } = { it: ${from} })`,
  ].map((write) => ({ from: kind, to: kind, write })),
)
const all: readonly Way[] = [...ways, ...given]
const ends: Readonly<Record<Kind, readonly string[]>> = {
  module: [
    'GIVEN.Activity.register',
    'GIVEN?.Activity!\n  .register',
    "(<Generated>GIVEN)['Activity'].register",
  ],
  Activity: [
    'GIVEN.register',
    "GIVEN?.['register']",
    'GIVEN /* a */ . // b\n  register',
    '(<any>GIVEN).register',
  ],
  register: ['GIVEN', '(0, GIVEN)'],
}
const loaded = [
  `(await import(${path})).Activity.register`,
  `require(${path}).Activity.register`,
  `await import(${path}).then((all) => all.Activity.register`,
  `await import(${path}).then(async ({ Activity }) => Activity.register`,
]
const between = ['(', '?.(', '<any>(', '<string, (call: Call) => Promise<void>>(', ' ( /* name */ ']

const source = fc
  .record({
    steps: fc.array(fc.tuple(fc.noBias(fc.nat()), fc.noBias(fc.nat())), { minLength: 1, maxLength: 8 }),
    calls: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...between)), {
      minLength: 1,
      maxLength: 4,
    }),
    direct: fc.option(fc.constantFrom(...loaded), { freq: 3 }),
  })
  .map(({ steps, calls, direct }) => {
    const known: { readonly name: string; readonly kind: Kind }[] = []
    const lines: string[] = []
    const used: string[] = []
    const pick = <Item>(list: readonly Item[], at: number): Item => list[at % list.length] as Item
    for (const [index, [which, given]] of steps.entries()) {
      const possible = all.filter(({ from }) => from === undefined || known.some(({ kind }) => kind === from))
      const { from, to, write } = pick(possible, which)
      const name = `work$${index}`
      const fitting = known.filter(({ kind }) => kind === from)
      lines.push(write(name, from === undefined ? '' : pick(fitting, given).name))
      known.push({ name, kind: to })
      used.push(write('NAME', 'GIVEN'))
    }
    for (const [index, [which, end, open]] of calls.entries()) {
      const { name, kind } = pick(known, which)
      lines.push(`;${pick(ends[kind], end).replace('GIVEN', () => name)}${open}'tool${index}', run);`)
    }
    if (direct) {
      lines.push(`;${direct}('direct', run)${direct.includes('.then') ? ')' : ''};`)
      used.push(direct)
    }
    return { text: lines.join('\n'), used }
  })

const seen = new Map<string, number>()

fuzz(
  'ACT-3b whatever names a file gives to the Activity: what its run registers is what the look at its text finds',
  400,
  source,
  async ({ text, used }) => {
    const { calls: all } = readSource(text, 'a.ts')
    const calls = all.filter(({ of }) => of.some(({ path }) => path.at(-1) === 'register'))
    expect(calls.map(({ name }) => name).sort(), text).toEqual(await registeredBy(text))
    for (const { of } of calls) {
      expect(of, text).toContainEqual({ from: './generated/index.js', path: ['Activity', 'register'] })
      for (const { from } of of) expect(from, text).toBe('./generated/index.js')
    }
    for (const way of used) seen.set(way, (seen.get(way) ?? 0) + 1)
  },
)

/** The names that a file registers, sorted, when it is compiled and run. */
async function registeredBy(text: string): Promise<string[]> {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(text, { compilerOptions })
  const names: string[] = []
  const generated = { Activity: { register: (name: string) => names.push(name) }, Tool: {} }
  const run = new Function('require', 'exports', 'run', `return (async () => {${outputText}\n})()`)
  await run(
    () => generated,
    {},
    () => {},
  )
  return names.sort()
}

test('each of those ways was gone', () => {
  expect(seen.size).toBe(new Set(all.map(({ write }) => write('NAME', 'GIVEN'))).size + loaded.length)
  for (const count of seen.values()) expect(count).toBeGreaterThan(often(4))
})
