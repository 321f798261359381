import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findRegistrations } from '../../../../codegen/registrations/find-registrations.ts'
import { fill, temporaryFolder } from '../write/temporary-folder.ts'

const from = (path: string) => `import { Activity } from '${path}'\n`
const register = (name: string) => `Activity.register('${name}', async () => 1)\n`

function found(files: Readonly<Record<string, string>>, otherOutputs: readonly string[] = []): string[] {
  const root = temporaryFolder()
  fill(root, files)
  const scope = { root, output: 'generated', otherOutputs, activitiesFolder: 'activities' }
  return findRegistrations(scope).registrations.map(({ name, at }) => `${at.file}:${at.line} ${name}`)
}

describe('ACT-3b: registrations are found in the sources of a project', () => {
  const cases: { title: string; files: Record<string, string>; want: string[] }[] = [
    {
      title: 'anywhere, in every kind of source file, under another name too',
      files: {
        'src/worker/a.ts': `${from('../../generated/index.js')}\n${register('a')}`,
        'b.mjs': from('./generated/index.js') + register('b'),
        'src/c.tsx': "import { Activity as Work } from '@/generated'\nWork . register(\n  `c`, f)\n",
        'lib/d.ts':
          'const { Activity } = await import(\'../generated/index.js\')\nActivity.register("d", f)\n',
        'lib/e.ts': "import * as tools from '../generated/index.js'\ntools.Activity.register<'e'>('e', f)\n",
      },
      want: ['b.mjs:2 b', 'lib/d.ts:2 d', 'lib/e.ts:2 e', 'src/c.tsx:2 c', 'src/worker/a.ts:3 a'],
    },
    {
      title: 'not in comments, in texts, or under a computed name; on any object that has an Activity',
      files: {
        'a.ts': `${from('./generated/index.js')}// ${register('a')}const text = "Activity.register('b', f)"\nother.Activity.register('c', f)\nActivity.register(name, f)\nconst page = \`${register('d')}\`\n`,
      },
      want: ['a.ts:4 c'],
    },
    {
      title: 'behind regular expressions and templates that have marks of texts in them',
      files: {
        'a.ts': `${from('./generated/index.js')}const isCode = (text: string) => /\`/.test(text)\n${register('a')}const b = \`\`\n`,
        'b.ts': `function has(text) { return /["'\`]/.test(text) }\n${register('b')}const b = \`\`\n`,
        'c.ts': `const say = \`a \${on ? \`it's \${on}\` : 'off'}\`\n${register('c')}`,
        'd.tsx': `const note = <p>A lone \` here</p>\n${register('d')}`,
      },
      want: ['a.ts:3 a', 'b.ts:2 b', 'c.ts:2 c', 'd.tsx:2 d'],
    },
    {
      title: 'in expressions of templates, on an optional Activity, and on that of a loaded module',
      files: {
        'a.ts': `const a = \`\${Activity.register('a', f)} \${\`Activity.register('no', f)\`}\`\n`,
        'b.ts': "Activity?.register('b', f)\nActivity!.register?.('c', f)\n",
        'd.ts': "const { Activity: Work } = await import('../generated/index.js')\nWork.register('d', f)\n",
        'e.cjs': "const all = require('../generated/index.js')\nall?.Activity.register('e', f)\n",
        'f.ts': "import all, { Activity as Work } from '../generated/index.js'\nWork.register('f', f)\n",
      },
      want: ['a.ts:1 a', 'b.ts:1 b', 'b.ts:2 c', 'd.ts:2 d', 'e.cjs:2 e', 'f.ts:2 f'],
    },
    {
      title: 'under names that a file gives to the Activity or its register, of the own set only',
      files: {
        'a.ts': `${from('./generated/index.js')}const { register } = Activity\nregister('a', f)\n`,
        'b.ts': `${from('./generated/index.js')}const work = Activity\nwork.register<'b', (b: B) => void>('b', f)\n`,
        'c.ts':
          "const tools: Tools = await import('./generated/index.js')\ntools.Activity.register('c', f)\n",
        'd.cjs': "require('./generated/index.js').Activity.register('d', f)\n",
        'e.ts': "await import('./generated/index.js').then((it) => it.Activity.register('e', f))\n",
        'other.ts': `${from('./shop/generated/index.js')}const { register } = Activity\nregister('no', f)\n`,
        'made.ts': "const { Activity } = createRegistry({})\nconst add = Activity.register\nadd('no', f)\n",
        'shop.cjs': "require('./shop/generated/index.js').Activity.register('no', f)\n",
      },
      want: ['a.ts:3 a', 'b.ts:3 b', 'c.ts:2 c', 'd.cjs:1 d', 'e.ts:1 e'],
    },
    {
      title: 'not in what the compiler wrote',
      files: {
        'tsconfig.json': '{ "extends": "./config/base.json" }',
        'config/base.json': '{ "compilerOptions": { "outDir": "../out" } }',
        'out/src/a.js': register('a'),
        'src/a.js': register('a'),
        'src/a.ts': register('a'),
        'src/b.mjs': register('b'),
        'src/b.ts': register('b'),
        'src/c.jsx': register('c'),
        'src/c.tsx': register('c'),
        'src/out/d.js': register('d'),
      },
      want: ['src/a.ts:1 a', 'src/b.mjs:1 b', 'src/b.ts:1 b', 'src/c.tsx:1 c', 'src/out/d.js:1 d'],
    },
    {
      title: 'not in the outDir that counts from the tsconfig.json of the project',
      files: {
        'tsconfig.json': '{ "extends": "./config/base.json" }',
        'config/base.json': '{ "compilerOptions": { "outDir": "$' + '{configDir}/out" } }',
        'out/a.js': register('a'),
        'config/out/a.js': register('a'),
      },
      want: ['config/out/a.js:1 a'],
    },
    {
      title: 'where the compiler writes into the folder of the sources itself',
      files: { 'tsconfig.json': '{ "compilerOptions": { "outDir": "." } }', 'src/a.ts': register('a') },
      want: ['src/a.ts:1 a'],
    },
    {
      title:
        'not in tests, declarations, hidden files and folders, packages, the output, or what git ignores',
      files: {
        '.gitignore': 'dist/\n*.gen.ts\n!keep.gen.ts\n',
        'a.test.ts': register('a'),
        'a.spec.tsx': register('a'),
        'a.d.ts': register('a'),
        'test/a.ts': register('a'),
        'src/__tests__/a.ts': register('a'),
        '.next/a.js': register('a'),
        // The bundle of another command that runs at the same time.
        '.callsheet-1-a.mjs': register('a'),
        'node_modules/p/a.js': register('a'),
        'generated/functions.ts': register('a'),
        'dist/a.js': register('a'),
        'src/dist/a.js': register('a'),
        'x.gen.ts': register('a'),
        'keep.gen.ts': register('kept'),
        'packages/worker/package.json': '{ "name": "worker" }',
        'packages/worker/a.ts': register('a'),
        'src/esm/package.json': '{ "type": "module" }',
        'src/esm/b.ts': register('b'),
      },
      want: ['keep.gen.ts:1 kept', 'src/esm/b.ts:1 b'],
    },
    {
      title: 'not of a registry made by hand, and not of another set',
      files: {
        'a.ts': `const { Tool, Activity } = createRegistry({ tools })\n${register('a')}`,
        'b.ts': from('./shop/generated/index.js') + register('b'),
        'c.ts': from('./generated/index.js') + register('c'),
        'd.ts': from('./registry.js') + register('d'),
        'e.ts': `import { Activity as Shop } from './shop/generated/index.js'\n${from('./generated/index.js')}Shop.register('no', f)\n${register('e')}`,
      },
      want: ['c.ts:2 c', 'd.ts:2 d', 'e.ts:4 e'],
    },
    {
      title: 'not of a registry made by hand in another file, and not of another set that a file passes on',
      files: {
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
        'made.ts': 'export const { Tool, Activity } = createRegistry({ tools })\n',
        'kept.ts': 'const registry = createRegistry({ tools })\nexport const Activity = registry.Activity\n',
        'whole.ts': 'const registry = createRegistry({ tools })\nexport const { Activity } = registry\n',
        'passed.ts': "// Of the set: './generated/index.js'\nexport { Tool, Activity } from './made.js'\n",
        'all/index.ts': "export * from '../passed.js'\n",
        'shop.ts': `${from('@/shop/generated/index.js')}export { Activity }\n`,
        'own.ts':
          "export * from './generated/index.js'\nexport const { Activity: Hand } = createRegistry({})\n",
        'circle.ts': "export * from './circle.js'\n",
        'a.ts': from('./made.js') + register('a'),
        'b.ts': from('./kept') + register('b'),
        'c.ts': from('./whole.ts') + register('c'),
        'd.ts': from('./passed.js') + register('d'),
        'e.ts': from('@/all') + register('e'),
        'f.ts': from('./shop.js') + register('f'),
        'g.ts': from('@/shop/generated/index.js') + register('g'),
        'h.ts': "import * as all from './made.js'\nall.Activity.register('h', f)\n",
        'own-a.ts': from('./own.js') + register('a'),
        'own-b.ts': from('@/generated/index.js') + register('b'),
        'own-c.ts': from('./circle.js') + register('c'),
      },
      want: ['own-a.ts:2 a', 'own-b.ts:2 b', 'own-c.ts:2 c'],
    },
    {
      title: 'where a file passes the Activity on under another name',
      files: {
        'own.ts': `${from('./generated/index.js')}export { Activity as work, Activity as default }\n`,
        'kit.ts': "import { work } from './own.js'\nexport const kit = { add: work.register, work }\n",
        'add.ts': "import all from './own.js'\nexport const { register: add } = all\n",
        'all.ts': "export * from './kit.js'\nexport * as own from './own.js'\n",
        'old.cjs': "const own = require('./own.js')\nmodule.exports = { labour: own.work }\n",
        'whole.cts': "import { work } from './own.js'\nexport = work\n",
        'part.cjs':
          "const own = require('./own.js')\nexports.part = own.work\nmodule.exports.other = own.work\n",
        'package.json': '{ "imports": { "#tools": "./own.ts" } }',
        'i.ts': "import it from '#tools'\nit.register('i', f)\n",
        'j.cjs':
          "const { part, other } = require('./part.cjs')\npart.register('j', f)\nother.register('jj', f)\n",
        'odd.ts': "export { Activity as '*(odd' } from './generated/index.js'\n",
        'h.ts': "import { '*(odd' as odd } from './odd.js'\nodd.register('h', f)\n",
        'shop.ts': "export { Activity as sell } from './shop/generated/index.js'\n",
        'hand.ts': 'export const hand = createRegistry({}).Activity\n',
        'a.ts': "import { work } from './own.js'\nwork.register('a', f)\n",
        'b.ts': "import labour from './own'\nlabour.register('b', f)\n",
        'c.ts': "import { kit } from './all.js'\nkit.add('c', f)\nkit.work.register('cc', f)\n",
        'd.ts': "import { add } from './add.js'\nadd('d', f)\n",
        'e.ts': "import { own } from './all.js'\nown.work.register('e', f)\n",
        'f.cjs': "require('./old.cjs').labour.register('f', f)\n",
        'g.cts': "import whole = require('./whole.cjs')\nwhole.register('g', f)\n",
        'no-a.ts': "import { sell } from './shop.js'\nsell.register('no', f)\n",
        'no-b.ts': "import { hand } from './hand.js'\nhand.register('no', f)\n",
        'no-c.ts': "import { app } from './app.js'\napp.register('no', f)\n",
        'app.ts': 'export const app = fastify()\n',
      },
      want: [
        'a.ts:2 a',
        'b.ts:2 b',
        'c.ts:2 c',
        'c.ts:3 cc',
        'd.ts:2 d',
        'e.ts:2 e',
        'f.cjs:1 f',
        'g.cts:2 g',
        'h.ts:2 h',
        'i.ts:2 i',
        'j.cjs:2 j',
        'j.cjs:3 jj',
      ],
    },
    {
      title: 'where the register itself is a default export, under any name',
      files: {
        'add.ts': `${from('./generated/index.js')}export default Activity.register\n`,
        'lib/sell/index.ts': `${from('../../shop/generated/index.js')}export default Activity.register\n`,
        'lib/work/index.ts': `${from('../../generated/index.js')}export default Activity.register.bind(Activity)\n`,
        'a.ts': "import put from './add.js'\nput('a', f)\n",
        'b.ts': "import { default as put } from './lib/work'\nput('b', f)\n",
        'c.cjs': "const { default: put } = require('./lib/work/index.js')\nput('c', f)\n",
        'no.ts': "import put from './lib/sell/index.js'\nput('no', f)\n",
      },
      want: ['a.ts:2 a', 'b.ts:2 b', 'c.cjs:2 c'],
    },
    {
      title: 'behind a byte order mark and a line for a shell',
      files: { 'a.ts': `\uFEFF#!/usr/bin/env node\n${from('./generated/index.js')}${register('a')}` },
      want: ['a.ts:3 a'],
    },
    {
      title: 'where the Activity is a parameter or a member, by its type or by what is given to it',
      files: {
        'a.ts': `import type { Activity } from './generated/index.js'\nexport function a(work: typeof Activity) { work.register('a', f) }\n`,
        'b.ts': "export function b({ Activity: work }: Services) { work.register('b', f) }\n",
        'c.ts':
          "export class C { constructor(private all: { it: typeof import('./generated').Activity }) {}\n  d() { this.all.it.register('c', f) } }\n",
        'd.ts': `${from('./generated/index.js')}@injected() class D { work = Activity\n  d(@inject() x) { this.work.register.call(this, 'd', f) } }\n`,
        'e.ts': `${from('./generated/index.js')}class E { #it = Activity; #f() { return this.#it } g() { this.#f().register('e', f) } }\n`,
        'f.ts':
          "import { it } from 'elsewhere'\n function a({ Activity: b }) { const c = b; c.register('f', f); let g = b.register; g('ff', f) }; function d() { const c = it; let h = it.go; h('no', f) }\n",
        'g.js': `// @flow\n${from('./generated/index.js')}const list: string[] = []\nActivity.register.apply(Activity, ['g', (f: any)])\n`,
        'h.ts': `${from('./generated/index.js')}export @made class H {}\nconst add = Activity.register.bind(Activity, 'h')\n`,
        'no.ts': `import type { Activity } from './shop/generated/index.js'\nexport function a(work: typeof Activity) { work.register('no', f) }\n`,
      },
      want: [
        'a.ts:2 a',
        'b.ts:1 b',
        'c.ts:2 c',
        'd.ts:3 d',
        'e.ts:2 e',
        'f.ts:2 f',
        'f.ts:2 ff',
        'g.js:4 g',
        'h.ts:3 h',
      ],
    },
  ]
  test.each(cases)('$title', ({ files, want }) => {
    expect(found(files, ['shop/generated'])).toEqual(want)
  })

  test('a file that does not parse, or names itself without end, is an error: what it registers is not known', () => {
    const root = temporaryFolder()
    fill(root, {
      'a.ts': `${from('./generated/index.js')}${register('a')}const a = {{\n`,
      'b.ts': `${from('./generated/index.js')}let b = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
      'c.ts': 'const c = {{\n',
      'chain.ts': `${from('./generated/index.js')}Activity${'.b()'.repeat(20_000)}\n`,
      'd.ts': `${from('./generated/index.js')}let d = Activity\nd = d.d, d = { d }, d = [d]\n${register('d')}`,
    })
    const scope = { root, output: 'generated', otherOutputs: [], activitiesFolder: 'activities' }
    const { findings, registrations } = findRegistrations(scope)
    expect(findings.map(({ rule, severity, at }) => [rule, severity, at?.file, at?.line])).toEqual([
      ['unreadable-file', 'error', 'a.ts', 3],
      ['unreadable-file', 'error', 'b.ts', 1],
      ['unreadable-file', 'error', 'chain.ts', 1],
    ])
    expect(findings[0]?.message).toMatch(/^a\.ts does not parse \(Unexpected token.*\), so it is not known/)
    expect(registrations.map(({ name }) => name)).toEqual(['d'])
  })

  test('of a computed name the place is known, but not for an Activity that the caller gives', () => {
    const root = temporaryFolder()
    const loop = 'for (const name of names) Activity.register(name, f)\n'
    fill(root, {
      'a.ts': from('./generated/index.js') + loop,
      'b.ts': `export function registerAll(Activity, names) { ${loop} }\n`,
    })
    const scope = { root, output: 'generated', otherOutputs: [], activitiesFolder: 'activities' }
    expect(findRegistrations(scope).computed).toEqual([{ file: 'a.ts', line: 2, column: 27 }])
  })

  test('a file whose names may all be each other is read in time', () => {
    const root = temporaryFolder()
    const names = Array.from({ length: 40 }, (_, index) => `v${index}`)
    const lines = names.map((name) => `${name} = { a: ${names.join('.a || ')}.a.a.b.a.a, b: from.${name} }`)
    fill(root, {
      'a.ts': `import * as from from './b.js'\n${from('./generated/index.js')}let ${names.join(', ')}\n${lines.join('\n')}\nlet one = from\none = ${names.map((name) => `one.${name}`).join(' || ')}\n${register('a')}`,
    })
    const scope = { root, output: 'generated', otherOutputs: [], activitiesFolder: 'activities' }
    expect(findRegistrations(scope).registrations.map(({ name }) => name)).toEqual(['a'])
  })

  test('a minified bundle, in which a few names stand for thousands of things, is read in time', () => {
    const root = temporaryFolder()
    const own = 'import{Activity as A}from"./generated/index.js";import*as i from"m";A.register("a",t);'
    const part = '(()=>{function e(t){return e(i.a)}let t=e(e,t);e=t})();'
    fill(root, { 'a.js': own + part.repeat(6_000) })
    const scope = { root, output: 'generated', otherOutputs: [], activitiesFolder: 'activities' }
    const before = process.cpuUsage()
    expect(findRegistrations(scope).registrations.map(({ name }) => name)).toEqual(['a'])
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10)
  })

  test('bundles that import each other, and give each other members of what they got, are read in time', () => {
    const root = temporaryFolder()
    const names = ['e', 't', 'n', 'r']
    const gets = names.map((name) => `${names.map((each) => `o.${each}.${name}`).join('||')}||o.Activity`)
    const chunk = (other: string) =>
      `import*as o from"./${other}.js";let ${names.map((name, index) => `${name}=${gets[index]}`).join()};e.register("no",t);export{${names.join()}};`
    fill(root, {
      'a.ts': `import { services } from './services.js'\nservices.work.Activity.register('a', f)\n`,
      'services.ts': `import { worker as work } from './worker.js'\nexport const services = { work }\n`,
      'worker.ts': `import * as worker from './generated/index.js'\nexport { worker }\n`,
      'dist/one.js': chunk('two'),
      'dist/two.js': chunk('one'),
    })
    const scope = { root, output: 'generated', otherOutputs: [], activitiesFolder: 'activities' }
    const before = process.cpuUsage()
    expect(findRegistrations(scope).registrations.map(({ name }) => name)).toContain('a')
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3)
  })

  test('files that all have the Activity from an index, which passes on all of them, are read in time', () => {
    const root = temporaryFolder()
    const numbers = Array.from({ length: 400 }, (_, number) => number)
    fill(root, {
      'index.ts': ['generated/index', ...numbers].map((path) => `export * from './${path}.js'\n`).join(''),
      ...Object.fromEntries(
        numbers.map((number) => [`${number}.ts`, from('./index.js') + register(`a${number}`)]),
      ),
    })
    const scope = { root, output: 'generated', otherOutputs: [], activitiesFolder: 'activities' }
    const before = process.cpuUsage()
    expect(findRegistrations(scope).registrations).toHaveLength(400)
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3)
  })

  // Windows grants by other means than a mode.
  test.skipIf(process.platform === 'win32')(
    'not in a folder that this user may not look into, such as the data of a database',
    () => {
      const root = temporaryFolder()
      fill(root, { 'a.ts': register('a'), 'data/b.ts': register('b'), 'data/.gitignore': '' })
      chmodSync(root, 0o755)
      chmodSync(join(root, 'data'), 0)
      const scope = { root, output: 'generated', otherOutputs: [], activitiesFolder: 'activities' }
      const { registrations, folders } = asNobody(() => findRegistrations(scope))
      expect(registrations.map(({ name }) => name)).toEqual(['a'])
      expect(folders).toEqual([root])
    },
  )

  test('those in an activities folder outside of the project are found', () => {
    const root = temporaryFolder()
    fill(root, { 'contract/package.json': '{}', 'worker/activities/a.ts': register('a') })
    const scope = {
      root: `${root}/contract`,
      output: 'generated',
      otherOutputs: [],
      activitiesFolder: '../worker/activities',
    }
    expect(findRegistrations(scope).registrations.map(({ at }) => at.file)).toEqual([
      '../worker/activities/a.ts',
    ])
  })
})

test('ACT-3b a source behind a symbolic link is searched; one behind a link to a folder or to nothing is not', () => {
  const [root, elsewhere] = [temporaryFolder(), temporaryFolder()]
  fill(root, { 'a.ts': register('a') })
  fill(elsewhere, { 'shared.ts': register('shared'), 'folder/b.ts': register('b') })
  symlinkSync(join(elsewhere, 'shared.ts'), join(root, 'linked.ts'))
  symlinkSync(join(elsewhere, 'folder'), join(root, 'folder'))
  symlinkSync(join(root, 'circle.ts'), join(root, 'circle.ts'))
  symlinkSync(join(root, 'nothing'), join(root, 'gone.ts'))
  const scope = { root, output: 'generated', otherOutputs: [], activitiesFolder: 'activities' }
  expect(findRegistrations(scope).registrations.map(({ name, at }) => [at.file, name])).toEqual([
    ['a.ts', 'a'],
    ['linked.ts', 'shared'],
  ])
})

/** Runs as a user to whom permissions apply: to root they do not. */
function asNobody<Result>(work: () => Result): Result {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(65534)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
  }
}
