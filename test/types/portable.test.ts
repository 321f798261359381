import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generatedSources } from '../unit/runtime/typed/project.ts'
import { compilers, compilersToTry, root } from './compilers.ts'
import { readEverything } from './read-everything.ts'

/** A long plan: its type is printed whole into the declarations. */
const steps = Array.from({ length: 100 }, (_, index) => {
  const path = `_outputPath: '†result.step${index}'`
  return `  .step({ _tool: 'weatherCheck', location: ${index === 0 ? `'†input.city'` : `'†result.step${index - 1}.conditions'`}, ${path} })`
})

/** What packages export of a contract, nothing of it annotated: the compiler has to find a name for every type. */
const packages: Readonly<Record<string, { readonly uses: readonly string[]; readonly source: string }>> = {
  contracts: { uses: [], source: "export * from './generated/index.js'\n" },
  worker: {
    uses: ['contracts'],
    source: `import { Activity, type Activities, type ActivityOf, Tool, tools } from '@fixture/contracts'
import { createRegistry } from 'callsheet'
export const advise: Activities['advise'] = (call, _tool, context) => \`\${context.state.user.name} \${call.name}\`
export const activities = { advise, mail: async () => {} } satisfies Partial<Activities>
export const weather = ((call) => ({ temperature: 1, conditions: call.location })) satisfies ActivityOf<'weatherCheck'>
export const registry = createRegistry({ tools: {} })
export const some = (all: Partial<Activities>) => (all.rate ? [all.rate, all.mail] : undefined)
export const generated = { Tool, Activity, tools }
export const register = () => Activity.register('mail', activities.mail)
`,
  },
  agent: {
    uses: ['contracts', 'worker'],
    source: `import { Activity, calls, plan, reference, Tool } from '@fixture/contracts'
import { activities, registry } from '@fixture/worker'
import { type Context, compose, createContext, lower, message, render } from 'callsheet'
import { Agent, type AgentOptions, type ConfirmRules, Idea, latentModel, Request, streamAgent, Vessel, withSearch } from 'callsheet/agent'
import { remoteActivities, serveHttp, serveStdio, toolServer } from 'callsheet/server'
import { randomModel, scriptedModel } from 'callsheet/testing'
export const check = calls.weatherCheck({ location: '†input.city' }, { _outputPath: '†state.forecast' })
export const literal = { _tool: 'mail' as const, to: 'Ada', lines: ['x'], count: 1 }
export const builders = { ...calls, tags: reference('†state.user.tags'), either: reference('†state.user.age || †state.days') }
export const listed = plan([check, { _tool: 'advise', forecast: '†state.forecast', name: '†state.user.name' }])
export const long = plan()
${steps.join('\n')}
declare const place: string
export const failing = plan().step({ _tool: 'weatherCheck', location: 'Oslo', _outputPath: '†state.forecast || †state.failure' })
export const computed = plan().step({ _tool: 'weatherCheck', location: 'Oslo', _outputPath: \`†state.\${place}\` })
export const modelled = plan.from([])
export const stepped = () => listed.step({ _tool: 'mail', to: '†state.user.name', lines: [], count: 1 })
export const group = () => Tool.all([check, literal])
export const first = () => Tool.any([check, calls.advise({ forecast: { temperature: 1, conditions: 'x' }, name: 'x' })])
export const outcome = () => Tool.run(check)
export const model = { model: 'm', client: scriptedModel([]) }
export const answer = () => Agent({ ...model, tools: withSearch(Tool), onTurn: (turn) => turn.outcomes })
export const streamed = () => streamAgent({ ...model, tools: Tool })
export const asked = Request({ ...model, tools: Tool })
export const stored = { idea: new Idea({ schema: { type: 'object' }, context: [] }), Vessel, latent: latentModel({ ...model, tools: Tool }) }
export const serving = { server: toolServer(Tool), http: () => serveHttp(Tool), stdio: () => serveStdio(Tool), remote: () => remoteActivities('http://localhost', { Tool, Activity }) }
export const composed = { schema: compose(Tool), lowered: lower({ type: 'object' }, 'openai'), text: render(Tool.list(), 'json'), random: randomModel({ seed: 1 }) }
export const context = createContext([message({ type: 'data', data: {} })])
export const append = (...messages: Parameters<Context['append']>) => context.append(...messages)
export const found = () => Tool.find('x')
export const asks = ({ ask, askPlan }: ConfirmRules, { confirm }: AgentOptions) => (typeof confirm === 'function' ? [confirm, ask] : [ask ?? (() => true), askPlan])
export const planned = () => Tool.plan(listed)
export const parts = { activities, registry, Tool, message: long.message(), graph: long.waitsFor }
`,
  },
}

let folder = ''

/**
 * Outside of the repository, whose files declarations would else name by path, and with nothing hoisted: a package
 * reaches what it depends on and nothing else, as pnpm lays it out.
 */
beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'callsheet-portable-'))
  const installed = join(folder, 'node_modules/.store/node_modules/callsheet')
  cpSync(join(root, 'dist/types'), join(installed, 'dist/types'), { recursive: true })
  cpSync(join(root, 'package.json'), join(installed, 'package.json'))
  mkdirSync(join(folder, 'readers/node_modules'), { recursive: true })
  symlinkSync(installed, join(folder, 'readers/node_modules/callsheet'))
  writeFileSync(join(folder, 'readers/package.json'), '{ "type": "module" }')
  for (const [path, text] of Object.entries(readers)) writeFileSync(join(folder, 'readers', path), text)
  for (const [name, { uses, source }] of Object.entries(packages)) {
    const files = name === 'contracts' ? generatedSources(true) : {}
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true })
      writeFileSync(join(folder, name, path), text)
    }
    for (const [path, text] of Object.entries(files)) write(`src/generated/${path}`, text)
    write('src/index.ts', source)
    const exports = { '.': { types: './dist/index.d.ts' } }
    write('package.json', JSON.stringify({ name: `@fixture/${name}`, type: 'module', exports }))
    const references = uses.map((each) => ({ path: `../${each}` }))
    write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'], references }))
    mkdirSync(join(folder, name, 'node_modules/@fixture'), { recursive: true })
    symlinkSync(installed, join(folder, name, 'node_modules/callsheet'))
    for (const each of uses)
      symlinkSync(join(folder, each), join(folder, name, 'node_modules/@fixture', each))
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readers = readEverything()
const typeRoots = [join(root, 'node_modules/@types')]

const options = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  types: [],
  module: 'nodenext',
  composite: true,
  declaration: true,
  emitDeclarationOnly: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipDefaultLibCheck: true,
  rootDir: 'src',
  outDir: 'dist',
}

const run = (version: keyof typeof compilers, args: readonly string[]): string => {
  const compiler = dirname(createRequire(import.meta.url).resolve(`${compilers[version]}/package.json`))
  const command = [join(compiler, 'bin/tsc'), ...args, '--pretty', 'false']
  return spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' }).stdout
}

describe.each(compilersToTry)('TypeScript %s', (version) => {
  test('TYPE-5 what three packages export needs no annotation: no TS2742, TS7056 or TS2589', () => {
    expect(run(version, ['--build', '--force', 'agent'])).toBe('')
    const declared = readFileSync(join(folder, 'agent/dist/index.d.ts'), 'utf8')
    expect(declared).toContain('"result.step99"')
    expect(declared).not.toMatch(/\bany\b|\.store|\.\.\//)
  }, 180_000)
})

// One compiler: the names are the same for all. Each entry alone: with another one, the compiler finds more names.
test.each(Object.keys(readers))(
  'TYPE-5 every type that is read from an entry has a name: %s',
  (file) => {
    const compilerOptions = { ...options, rootDir: '.', lib: ['esnext', 'dom'], types: ['node'], typeRoots }
    writeFileSync(join(folder, 'readers/tsconfig.json'), JSON.stringify({ compilerOptions, include: [file] }))
    expect(run('7.0', ['-p', 'readers'])).toBe('')
  },
  60_000,
)
