import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CompilerVersion, compilersToTry, typeCheck } from './compilers.ts'
import { generateIn, projectFolder } from './project-folder.ts'

const definitions = `import { defineContext, tool } from 'callsheet'
import { Type } from 'typebox'
const User = Type.Object({ name: Type.String(), age: Type.Optional(Type.Number()), tags: Type.Array(Type.String()) })
export const context = defineContext({ state: Type.Object({ user: User, found: Type.Optional(Type.String()) }), input: Type.Object({ city: Type.String() }) })
export const greet = tool('greet', { user: User, mode: Type.Optional(Type.Union([Type.Literal('loud'), Type.Literal('soft')])), _outputPath: Type.Optional(Type.String()), _output: Type.String() })
export const lookUp = tool('lookUp', { key: Type.String(), limit: Type.Optional(Type.Integer()), _output: Type.Object({ found: Type.Boolean(), value: Type.Optional(Type.Record(Type.String(), Type.Number())) }) }, { effects: 'read' })
export const brief = tool('brief', { _scopes: Type.Tuple([Type.Literal('†state.user')]), _output: Type.String() })
export const free = tool('free', { data: Type.Unknown(), more: Type.Optional(Type.Record(Type.String(), Type.Unknown())) })
const Node = Type.Object({ constructor: Type.Number({ minimum: 0 }), children: Type.Array(Type.Ref('Node')) })
export const walk = tool('walk', { from: Type.Cyclic({ Node }, 'Node') })
`

/** What programs do with what is generated and with each entry; nothing of what they export is annotated. */
const program = `import { Activity, calls, plan, reference, Tool, tools, type Activities, type Call, type GreetCall } from './generated/index.js'
import { createContext, createRegistry, isCallsheetError, message, type Message, compose, lower, tool } from 'callsheet'
import { Type } from 'typebox'
import { Agent, Request, streamAgent, Idea } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { toolServer } from 'callsheet/server'
import { defineConfig } from 'callsheet/codegen'
const user = { name: 'Ada', tags: ['x'] }
export const greeting = await Tool({ _tool: 'greet', user })
export const looked = await Tool(calls.lookUp({ key: 'x', limit: 2 }))
export const value: number | undefined = looked.value?.['a']
export const outcome = await Tool.run(calls.greet({ user: reference('†state.user'), mode: 'loud' }, { _outputPath: '†state.found' }))
export const both = await Tool.all([calls.greet({ user }), { _tool: 'lookUp', key: 'y' }])
export const first: boolean = both[1].found
export const steps = plan([{ _tool: 'lookUp', key: '†input.city' }, calls.greet({ user: { name: '†input.city', tags: [] } })])
export const chained = plan().step({ _tool: 'lookUp', key: 'x' }).step({ _tool: 'greet', user })
export const note: Message = message({ type: 'data', data: { n: 1 } })
export const model = { model: 'm', client: scriptedModel([]) }
export const agent = () => Agent({ ...model, tools: Tool, context: [note], confirm: { effects: ['write'], ask: async (call, { tool }) => call._tool === 'greet' && tool.title !== '' }, onTurn: ({ outcomes }) => { void outcomes } })
export const streamed = () => streamAgent({ ...model, tools: Tool, context: [] })
export const made = createRegistry({ tools })
export const composed = compose(Tool)
export const idea = new Idea({ schema: { type: 'object' }, context: [] })
const local = tool('local', { n: Type.Number(), _output: Type.Number() })
const plain = tool('plain', { n: { type: 'number' }, _output: { type: 'number' } })
const messages = [{ type: 'tool' as const, tool: local }, { type: 'tool' as const, tool: plain }, { type: 'tool' as const, tool: tools.lookUp }, { type: 'input' as const, input: { n: 1 }, schema: Type.Object({ n: Type.Number() }) }]
export const context = createContext([{ type: 'tool', tool: local }, { type: 'tool', tool: plain }, { type: 'tool', tool: tools.lookUp }, { type: 'state', state: {}, schema: Type.Object({}) }])
context.append({ type: 'tool', tool: tools.greet })
export const brought = () => Agent({ ...model, tools: Tool, context: [{ type: 'tool', tool: local }] })
export const helper = new Idea({ schema: Type.String(), context: messages })
export const bringing = Tool.run({ _tool: 'local', n: 1 }, { context: messages })
made.Tool.fromIdea('given', { schema: Type.String(), context: messages })
export const withIdeas = createRegistry({ ideas: { given: { schema: Type.String(), context: messages } } })
export const listed = compose([local, plain, tools.lookUp, ...Object.values(tools)])
export const lowered = [lower(local, 'openai'), lower(plain, 'openai'), lower(tools.lookUp, 'mcp'), lower(Type.Object({ n: Type.Number() }), 'gemini'), lower({ type: 'object', required: ['n'] } as const, 'openai')]
export const asked = () => Request({ ...model, tools: [tools.greet, local], output: Type.String() })
export const madeTool = message({ type: 'tool', tool: local })
export const server = toolServer(Tool)
export const config = defineConfig({ dialects: ['openai'] })
export const activities = { greet: async (call, tool, context, run) => \`\${call.user.name} \${context.length} \${tool.title} \${run.attempt}\`, lookUp: ({ key, limit = 3 }) => ({ found: key.length > limit, value: { a: 1 } }) } satisfies Partial<Activities>
Activity.register('greet', activities.greet)
Activity.register('lookUp', async ({ key }) => { if (key === 'x') return { found: false }; return { found: true, value: { x: 1 } } })
Activity.register('brief', (_call, _tool, context) => context.state.user.name)
Activity.register('free', async ({ data, more }) => { void [data, more?.['x']] })
try { await Tool(calls.free({ data: { any: [1, null] } })) } catch (error) { if (isCallsheetError(error)) { const code: string = error.code; void code } }
export const call: GreetCall = { _tool: 'greet', user, mode: 'soft' }
export const list: Call[] = [call]
export const outputs = await Tool.all(list)
export const found = await Tool.find('x')
export const parsed = Tool.parse('[]')
`

/** The same of a program in JavaScript that is checked. */
const script = `import { Activity, calls, plan, reference, Tool } from './generated/index.js'
import { Agent } from 'callsheet/agent'
/** @typedef {import('./generated/index.js').GreetCall} GreetCall */
/** @type {GreetCall} */
export const call = { _tool: 'greet', user: { name: 'x', tags: [] } }
export const greeting = await Tool(call)
/** @type {import('./generated/index.js').ActivityOf<'lookUp'>} */
export const lookUp = async ({ key, limit }) => ({ found: key.length > (limit ?? 3) })
Activity.register('lookUp', lookUp)
Activity.register('greet', async (call, tool, context) => call.user.name + context.length + tool.title)
export const both = await Tool.all([calls.lookUp({ key: 'x' }), { _tool: 'greet', user: { name: 'x', tags: [] } }])
/** @type {boolean} */
export const found = both[0].found
export const made = plan([{ _tool: 'lookUp', key: '†input.city' }])
void [reference('†state.user'), Agent, Tool({ _tool: 'lookUp', key: 'x' })]
`

/** In place of the options of other tests. None is stricter than the language itself asks for. */
const plain = {
  strict: false,
  exactOptionalPropertyTypes: false,
  noUncheckedIndexedAccess: false,
  verbatimModuleSyntax: false,
  erasableSyntaxOnly: false,
  allowImportingTsExtensions: false,
  skipLibCheck: true,
}
const declarations = { declaration: true }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  noUncheckedSideEffectImports: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
}

/** What projects have in their tsconfig.json. */
const sets: Readonly<Record<string, object>> = {
  'nothing strict': {},
  strict: { strict: true },
  'strict but for null': { strict: true, strictNullChecks: false },
  'strict but for functions': { strict: true, strictFunctionTypes: false, useUnknownInCatchVariables: false },
  strictest,
  'strictest, every library checked, no DOM': {
    ...strictest,
    skipLibCheck: false,
    lib: ['es2023'],
    types: ['node'],
  },
  'nothing strict, every library checked, no DOM': { skipLibCheck: false, lib: ['es2023'], types: ['node'] },
  'exact properties alone': { strict: true, exactOptionalPropertyTypes: true },
  'declarations of a composite project': { strict: true, ...declarations, composite: true },
  'declarations, nothing strict': declarations,
  'a bundler, JSX': { strict: true, ...bundler, jsx: 'react-jsx', isolatedModules: true },
  'a bundler, modules as they are': { ...strictest, module: 'preserve', moduleResolution: 'bundler' },
  'an old target': { strict: true, ...bundler, target: 'es2020', lib: ['es2020', 'dom'] },
  'an old Node': {
    strict: true,
    module: 'node16',
    moduleResolution: 'node16',
    target: 'es2022',
    lib: ['es2022'],
  },
  JavaScript: { strict: true, allowJs: true, checkJs: true },
  'JavaScript, nothing strict, with declarations': { allowJs: true, checkJs: true, ...declarations },
}

let folder = ''
let generated: Record<string, string> = {}
let withoutTools: Record<string, string> = {}
beforeAll(async () => {
  folder = projectFolder({ 'definitions/all.ts': definitions })
  generated = await generateIn(folder)
  writeFileSync(
    join(folder, 'definitions/all.ts'),
    "import { Type } from 'typebox'\nexport const Place = Type.Object({ name: Type.String() })\n",
  )
  withoutTools = await generateIn(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * All sets for the newest compiler. The older ones, which take long, have every third one each, and check no libraries: the
 * declarations of typebox take them a minute.
 */
function setsFor(version: CompilerVersion): [string, object][] {
  const all = Object.entries(sets)
  if (version === '7.0') return all
  return all
    .filter(([, options]) => !('skipLibCheck' in options))
    .filter((_, place) => place % 3 === (version === '6.0' ? 0 : 1))
}

describe.each(compilersToTry)('TypeScript %s', (version) => {
  test.each(setsFor(version))(
    'GEN-8 programs check under the options of a project: %s',
    (_, options) => {
      const files = { ...generated, 'use.ts': program, ...('allowJs' in options && { 'script.js': script }) }
      expect(typeCheck(version, files, { ...plain, ...options })).toEqual([])
    },
    120_000,
  )

  test('GEN-8 the strictest options find nothing unused where no Tool is declared', () => {
    expect(typeCheck(version, withoutTools, { ...plain, ...strictest })).toEqual([])
  }, 120_000)
})
