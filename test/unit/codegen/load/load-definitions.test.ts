import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderState } from '../../../../codegen/cache/folder-state.ts'
import { findingText, sortFindings } from '../../../../codegen/findings/finding-text.ts'
import { bundle } from '../../../../codegen/load/bundle.ts'
import { findFiles } from '../../../../codegen/load/find-files.ts'
import { modulePlaces, writeModule, writeTemporaryModule } from '../../../../codegen/load/import-code.ts'
import { loadDefinitions } from '../../../../codegen/load/load-definitions.ts'
import { project, typebox } from './project.ts'

const weather = `${typebox}
export const weatherCheck = Type.Object({
  _tool: Type.Literal('weatherCheck'),
  location: Type.String(),
})
`

async function load(files: Record<string, string>, packages?: string[]) {
  const root = project(files, packages)
  const loaded = await loadDefinitions({ root, definitions: ['definitions'] })
  return { ...loaded, root }
}

async function names(files: Record<string, string>) {
  const { definitions, findings } = await load(files)
  expect(findings).toEqual([])
  return definitions.map(({ kind, name, at }) => `${kind} ${name} ${at.file}:${at.line}:${at.column}`)
}

test('TOOL-1 a package of the workspace may be TypeScript; one in JavaScript is left to Node', async () => {
  const source = `${typebox}
import { Place, Sky } from '@acme/shared'
import { most } from '@acme/plain'
export const find = Type.Object({ _tool: Type.Literal('find'), place: Place, sky: Type.Enum(Sky), n: Type.Number({ maximum: most }) })`
  const root = project({
    'definitions/find.ts': source,
    'packages/shared/package.json': '{ "type": "module", "exports": "./src/index.ts" }',
    'packages/shared/src/index.ts': `${typebox}export { Sky } from './sky.js'; export const Place = Type.String()`,
    'packages/shared/src/sky.ts': `export enum Sky { Clear = 'clear' }`,
    'packages/plain/package.json': '{ "type": "module", "exports": "./index.js" }',
    'packages/plain/index.js': `export const most = import.meta.url.endsWith('plain/index.js') ? 7 : 0`,
  })
  mkdirSync(join(root, 'node_modules/@acme'), { recursive: true })
  for (const name of ['shared', 'plain']) {
    symlinkSync(join(root, 'packages', name), join(root, 'node_modules/@acme', name), 'junction')
  }
  const { definitions, findings, inputs } = await loadDefinitions({ root, definitions: ['definitions'] })
  expect(findings).toEqual([])
  expect(definitions[0]?.value).toMatchObject({
    properties: { place: { type: 'string' }, sky: { enum: ['clear'] }, n: { maximum: 7 } },
  })
  expect(inputs.map((path) => path.split(sep).slice(-2).join('/'))).toEqual([
    'definitions/find.ts',
    'src/index.ts',
    'src/sky.ts',
  ])
})

test('GEN-4 a file that is not UTF-8 is named where it first says something else', async () => {
  const text = `${typebox}export const a = Type.String({ description: 'Grüße' })\n`
  const root = project({ 'definitions/mark.ts': text.replace('ü', '\ufffd') })
  writeFileSync(join(root, 'definitions/old.ts'), Buffer.from(text.replace('a =', 'b ='), 'latin1'))
  const properties = { _tool: { const: 'c' } }
  const schema = JSON.stringify({ type: 'object', description: 'Grüße', properties, required: ['_tool'] })
  writeFileSync(join(root, 'definitions/old.json'), Buffer.from(schema, 'latin1'))
  const { findings } = await loadDefinitions({ root, definitions: ['definitions'] })
  expect(findings).toMatchObject([
    { rule: 'wrong-encoding', severity: 'warning', at: { file: 'definitions/old.ts', line: 2, column: 48 } },
    { rule: 'wrong-encoding', at: { file: 'definitions/old.json', line: 1 } },
  ])
})

/** Elsewhere the disk itself makes one file of them. */
test.skipIf(process.platform !== 'linux')(
  'GEN-4 files whose names differ in case alone are named, and none of them is left out unsaid',
  async () => {
    const one = `${typebox}export const one = Type.String()`
    const { findings } = await load({
      'definitions/a.ts': one,
      'definitions/A.ts': one.replace('one', 'two'),
    })
    expect(findings).toMatchObject([
      {
        rule: 'unreadable-file',
        at: { file: expect.stringMatching(/^definitions\/a\.ts$/i) },
        message: expect.stringMatching(/^definitions\/A\.ts and definitions\/a\.ts differ in case alone/),
      },
    ])
    const imports =
      "import { a } from '../lib/a.ts'\nimport { b } from '../lib/A.ts'\nexport const c = [a, b]"
    const shared = await load({
      'definitions/c.ts': imports,
      'lib/a.ts': 'export const a = 1',
      'lib/A.ts': 'export const b = 2',
    })
    expect(shared.findings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^lib\/A\.ts and lib\/a\.ts differ in case alone/),
    )
  },
)

test('TOOL-1 a CommonJS file among the definitions is named', async () => {
  const { definitions, findings } = await load({
    'definitions/weather.ts': weather,
    'definitions/more/a.cts': weather,
    'definitions/b.cjs': '',
    'definitions/c.d.cts': '',
    'definitions/d.test.cts': '',
  })
  expect(definitions.map(({ name }) => name)).toEqual(['weatherCheck'])
  expect(findings.map(({ rule, severity, at }) => `${severity} ${rule} ${at?.file}`)).toEqual([
    'warning passed-over definitions/b.cjs',
    'warning passed-over definitions/more/a.cts',
  ])
  const alone = await load({ 'definitions/a.cts': weather })
  expect(alone.findings.map(({ rule }) => rule)).toEqual(['no-definitions'])
})

describe('TOOL-1 what counts as a definition', () => {
  const cases: { given: string; files: Record<string, string>; want: string[] }[] = [
    {
      given: 'a hand-written Type.Object',
      files: { 'definitions/weather.ts': weather },
      want: ['tool weatherCheck definitions/weather.ts:3:14'],
    },
    {
      given: 'a default export',
      files: {
        'definitions/a.mts': `${typebox}export default Type.Object({ _tool: Type.Literal('a') })`,
      },
      want: ['tool a definitions/a.mts:2:30'],
    },
    {
      given: 'a toolkit, nested, and a list',
      files: {
        'definitions/kit.js': `const one = (name) => ({ type: 'object', properties: { _tool: { const: name } } })
export const kit = { bold: one('Kit.bold'), more: { italic: one('Kit.italic') } }
export const list = [one('first')]`,
      },
      want: [
        'tool Kit.bold definitions/kit.js:2:22',
        'tool Kit.italic definitions/kit.js:2:53',
        'tool first definitions/kit.js:3:14',
      ],
    },
    {
      given: 'a schema with meta-fields and without _tool: the name of its export',
      files: {
        'definitions/a.ts': `${typebox}export const search = Type.Object({ query: Type.String(), _output: Type.String() })`,
      },
      want: ['tool search definitions/a.ts:2:14'],
    },
    {
      given: 'other schemas are shared',
      files: {
        'definitions/a.ts': `${typebox}export const Address = Type.Object({ street: Type.String() })`,
      },
      want: ['shared Address definitions/a.ts:2:14'],
    },
    {
      given: 'a recursive root and an intersection',
      files: {
        'definitions/a.ts': `${typebox}
export const plan = Type.Cyclic({ Plan: Type.Object({ _tool: Type.Literal('plan'), next: Type.Array(Type.Ref('Plan')) }) }, 'Plan')
export const both = Type.Intersect([Type.Object({ _tool: Type.Literal('both') }), Type.Object({ a: Type.String() })])`,
      },
      want: ['tool both definitions/a.ts:4:14', 'tool plan definitions/a.ts:3:14'],
    },
    {
      given: 'JSON: one tool with a name, one named by its title, one by its file',
      files: {
        'definitions/a.json': '{ "type": "object", "properties": { "_tool": { "const": "alpha" } } }',
        'definitions/b.json': '{ "type": "object", "title": "beta" }',
        'definitions/c.json': '{ "type": "object", "title": "not a name" }',
      },
      want: [
        'tool alpha definitions/a.json:1:1',
        'tool beta definitions/b.json:1:1',
        'tool c definitions/c.json:1:1',
      ],
    },
    {
      given: 'JSON lists, bare and under "tools"',
      files: {
        'definitions/a.json': '[\n  { "type": "object", "properties": { "_tool": { "const": "one" } } }\n]',
        'definitions/b.json': '{ "tools": [\n  { "title": "two" },\n  { "title": "three" }\n] }',
      },
      want: [
        'tool one definitions/a.json:2:3',
        'tool two definitions/b.json:2:3',
        'tool three definitions/b.json:3:3',
      ],
    },
    {
      given:
        'one object through several exports and a file that re-exports counts once, where it is declared',
      files: {
        'definitions/a-index.ts':
          "export * from './weather.ts'\nexport { weatherCheck as again } from './weather.ts'",
        'definitions/weather.ts': `${weather}export default weatherCheck`,
      },
      want: ['tool weatherCheck definitions/weather.ts:4:3'],
    },
    {
      given: 'what is marked as the declaration of state and input',
      files: {
        'definitions/context.ts': `export const context = Object.defineProperty({}, '~callsheet', { value: 'context' })`,
      },
      want: ['state context definitions/context.ts:1:14'],
    },
    {
      given: 'tests, declaration files, hidden folders and node_modules are passed over',
      files: {
        'definitions/weather.ts': weather,
        'definitions/weather.test.ts': 'throw new Error()',
        'definitions/types.d.ts': 'export type A = 1',
        'definitions/.old/a.ts': 'throw new Error()',
        'definitions/node_modules/a.ts': 'throw new Error()',
      },
      want: ['tool weatherCheck definitions/weather.ts:3:14'],
    },
  ]
  test.each(cases)('$given', async ({ files, want }) => {
    expect(await names(files)).toEqual(want)
  })
})

test('a link to a folder is not followed without a word, and read where the configuration names it', () => {
  const root = project({ 'definitions/weather.ts': weather, 'elsewhere/other.ts': weather })
  symlinkSync(join(root, 'elsewhere'), join(root, 'definitions/linked'), 'junction')
  const found = (definitions: string[]) => findFiles(root, definitions)
  expect(found(['definitions'])).toMatchObject({
    files: ['definitions/weather.ts'],
    findings: [{ rule: 'passed-over', severity: 'warning', at: { file: 'definitions/linked' } }],
  })
  const withLink = folderState(join(root, 'definitions'))
  rmSync(join(root, 'definitions/linked'))
  expect(folderState(join(root, 'definitions')), 'the cache notices').not.toEqual(withLink)
  symlinkSync(join(root, 'elsewhere'), join(root, 'definitions/linked'), 'junction')
  expect(found(['definitions', 'definitions/linked/'])).toEqual({
    files: ['definitions/linked/other.ts', 'definitions/weather.ts'],
    findings: [],
  })
})

test('TOOL-1 what could be meant as a definition and is not read is named', () => {
  const root = project({
    'definitions/weather.ts': weather,
    'definitions/form.tsx': weather,
    'definitions/form.test.tsx': weather,
    'definitions/old.jsx': weather,
    'definitions/CAPITALS.TS': weather,
    'definitions/tools.jsonc': '{}',
    'definitions/read.me': '',
  })
  symlinkSync('nowhere.ts', join(root, 'definitions/gone.ts'))
  symlinkSync('nobody@host.1234', join(root, 'definitions/.#weather.ts'))
  const { files, findings } = findFiles(root, ['definitions'])
  expect(files).toEqual(['definitions/weather.ts'])
  expect(findings.map(({ rule, at }) => `${rule} ${at?.file}`)).toEqual(
    ['CAPITALS.TS', 'form.tsx', 'gone.ts', 'old.jsx', 'tools.jsonc'].map(
      (name) => `passed-over definitions/${name}`,
    ),
  )
  for (const { at } of findings) {
    const before = folderState(join(root, 'definitions'))
    rmSync(join(root, at?.file ?? ''))
    expect(folderState(join(root, 'definitions')), 'the cache notices').not.toEqual(before)
  }
})

test('GEN-4 a pattern among the definitions is not taken for a folder that is missing', () => {
  const [finding] = findFiles(project({ 'definitions/weather.ts': weather }), ['definitions/*.ts']).findings
  expect(finding?.message).toContain('patterns are not supported')
})

test('GEN-4 every wrong file is reported at once, with its place, and the right ones are still read', async () => {
  const { definitions, findings } = await load({
    'definitions/good.ts': weather,
    'definitions/throws.ts': `${typebox}const broken = undefined as unknown as { text: string }
export const lost = Type.String({ title: broken.text })`,
    'definitions/unparsed.ts': 'export const a = {\n  b: 1,,\n}',
    'definitions/uses-unparsed.ts': "import { a } from './unparsed.ts'\nexport const c = a",
    'definitions/nothing.ts': 'export type Only = string',
    'definitions/numbers.ts': 'export const limit = 3',
    'definitions/no-file.ts': "import { x } from './nowhere.ts'\nexport const y = x",
    'definitions/no-package.ts': "import x from 'not-installed'\nexport const y = x",
    'definitions/no-name.ts': "import { Typ } from 'typebox'\nexport const y = Typ.String()",
    'definitions/helper-throws.ts': "import { z } from '../lib/helper.ts'\nexport const y = z",
    'definitions/helper-throws-too.ts': "import { z } from '../lib/helper.ts'\nexport const y = z",
    'lib/helper.ts': "export const z = (() => {\n  throw new RangeError('no luck')\n})()",
    'definitions/bad.json': '{\n  "type": "object",,\n}',
    'definitions/list.json': '[\n  { "type": "object" },\n  { "type": "string", "title": "text" }\n]',
    'definitions/mcp.json': '{ "tools": [{ "name": "a", "inputSchema": { "type": "object" } }] }',
    'definitions/none.json': '[]',
    'definitions/marked.json': '\uFEFF[\n  { "type": "object" }]',
    'definitions/marked-bad.json': '\uFEFF[\n  { type }]',
    'definitions/malformed.ts': `${typebox}
export const unnamed = Type.Object({ _tool: Type.String() })
export const bare = { _tool: Type.Literal('bare'), a: Type.String() }
export const mcp = { name: 'x', inputSchema: { type: 'object' } }
export const openai = { type: 'function', function: { name: 'x' } }
export const later = Promise.resolve(Type.String())
export const call = { _tool: 'x', a: 1 }
export const zod = { '~standard': { vendor: 'zod' } }
export const beside = { _tool: 'x', type: 'object', properties: { a: Type.String() } }
export const sdk = { description: 'As in the AI SDK.', inputSchema: { jsonSchema: { type: 'object' } } }
`,
    'definitions/spread.ts': `${typebox}import { note as remark } from '../lib/optional.ts'
// a comment about { ...Type.Optional(x) } is not code
const hint = Type.Optional(Type.String())
export const a = Type.Object({ b: { ...Type.Optional(Type.String()), title: 'x' } })
export const c = Type.Object({ d: { ...hint } , e: { ...remark, title: '...hint,' } })
`,
    'lib/optional.ts': `${typebox}export const note = Type.Optional(Type.String())`,
  })
  expect(definitions.map(({ name }) => name)).toEqual(['weatherCheck', 'a', 'c'])
  const text = sortFindings(findings).map(findingText).join('\n')
  expect(text).toMatchInlineSnapshot(`
    "definitions/bad.json:2:20 error unreadable-file: definitions/bad.json is not JSON: property name expected.
      fix: Correct the file.
    definitions/list.json:2:3 error malformed-tool: The item 0 is not a Tool: nothing gives it a name.
      fix: Declare "_tool" as the literal of its name: { "properties": { "_tool": { "const": "weatherCheck" } } }.
    definitions/list.json:3:3 error malformed-tool: The item 1 is not a Tool: it has the type "string", and a Tool is an object.
      fix: Declare its parameters as properties of a schema with "type": "object".
    definitions/malformed.ts:3:14 error malformed-tool: The export "unnamed" is not a Tool: its "_tool" is {"type":"string"}, and must be the literal of one name.
      fix: Declare it as Type.Literal('weatherCheck'), or use tool('weatherCheck', …), which does.
    definitions/malformed.ts:4:14 error malformed-tool: The export "bare" is not a Tool: it has "_tool" as a member of its own, so it is the properties of a Tool and not a Tool.
      fix: Wrap it: Type.Object({ _tool: …, … }), or tool(name, { … }).
    definitions/malformed.ts:5:14 error malformed-tool: The export "mcp" is not a Tool: it is a tool in the form of MCP or of a provider, with its schema one level down.
      fix: Turn it into a definition with: callsheet import FILE
    definitions/malformed.ts:6:14 error malformed-tool: The export "openai" is not a Tool: it is a tool in the form of MCP or of a provider, with its schema one level down.
      fix: Turn it into a definition with: callsheet import FILE
    definitions/malformed.ts:7:14 error malformed-tool: The export "later" is not a Tool: it is a promise.
      fix: Await it: export const weatherCheck = await …
    definitions/malformed.ts:8:14 error malformed-tool: The export "call" is not a Tool: it is a Call (its "_tool" is a string), not the declaration of a Tool.
      fix: Export the Tool that the Call is for: tool(name, { … }).
    definitions/malformed.ts:9:14 error malformed-tool: The export "zod" is not a Tool: it is a schema of Zod, which is code.
      fix: Take its JSON Schema, Type.Unsafe(z.toJSONSchema(schema)) with Zod 4 or Type.Unsafe(zodToJsonSchema(schema)) with Zod 3, or declare it with TypeBox.
    definitions/malformed.ts:10:14 error malformed-tool: The export "beside" is not a Tool: its "_tool" stands beside its properties and not among them.
      fix: Move it there, as a schema of one value: "properties": { "_tool": { "const": "weatherCheck" }, … }.
    definitions/malformed.ts:11:14 error malformed-tool: The export "sdk" is not a Tool: it is a tool in the form of MCP or of a provider, with its schema one level down.
      fix: Turn it into a definition with: callsheet import FILE
    definitions/marked-bad.json:2:5 error unreadable-file: definitions/marked-bad.json is not JSON: invalid symbol.
      fix: Correct the file.
    definitions/marked.json:2:3 error malformed-tool: The item 0 is not a Tool: nothing gives it a name.
      fix: Declare "_tool" as the literal of its name: { "properties": { "_tool": { "const": "weatherCheck" } } }.
    definitions/mcp.json:1:1 error malformed-tool: definitions/mcp.json holds tools (1) in the form of MCP or of a provider, with their schemas one level down.
      fix: Turn them into definitions with: callsheet import definitions/mcp.json
    definitions/no-file.ts:1:19 error unreadable-file: Could not resolve "./nowhere.ts".
      fix: Correct the file, so that it compiles.
    definitions/no-name.ts:1:10 error missing-import: The requested module 'typebox' does not provide an export named 'Typ'.
      fix: Correct the imported name, or install a version of the package that has it.
    definitions/no-package.ts:1:15 error missing-import: Cannot find package 'not-installed'.
      fix: Install it: npm install --save-dev not-installed
    definitions/none.json:1:1 error exports-nothing: definitions/none.json holds no Tool.
      fix: Write the JSON Schema of a Tool in it, a list of them, or { "tools": [ … ] }, or move the file out of the definitions.
    definitions/nothing.ts:1:1 error exports-nothing: definitions/nothing.ts exports nothing.
      fix: Export a Tool (export const weatherCheck = tool(…)) or a shared schema, or move the file out of the definitions.
    definitions/numbers.ts:1:1 error exports-nothing: definitions/numbers.ts exports limit, none of which is a Tool or a schema.
      fix: Export a Tool (export const weatherCheck = tool(…)) or a shared schema, or move the file out of the definitions.
    definitions/spread.ts:5:37 error optional-spread: A spread of an optional schema loses its hidden mark, so the property silently becomes required.
      fix: Keep the mark: Type.With(schema, { … }), or Type.Optional(Type.String({ … })) with the options inside.
    definitions/spread.ts:6:37 error optional-spread: A spread of "hint", which is optional, loses its hidden mark, so the property silently becomes required.
      fix: Keep the mark: Type.With(schema, { … }), or Type.Optional(Type.String({ … })) with the options inside.
    definitions/spread.ts:6:54 error optional-spread: A spread of "remark", which is optional, loses its hidden mark, so the property silently becomes required.
      fix: Keep the mark: Type.With(schema, { … }), or Type.Optional(Type.String({ … })) with the options inside.
    definitions/throws.ts:3:49 error definition-throws: definitions/throws.ts throws when it is run: TypeError: Cannot read properties of undefined (reading 'text')
      fix: Correct the expression at this place; Callsheet runs the file alone, without arguments or services.
    definitions/unparsed.ts:2:8 error unreadable-file: Expected identifier but found ",".
      fix: Correct the file, so that it compiles.
    lib/helper.ts:2:9 error definition-throws: definitions/helper-throws-too.ts throws when it is run: RangeError: no luck
      fix: Correct the expression at this place; Callsheet runs the file alone, without arguments or services."
  `)
})

test('GEN-4 a file that does not parse is reported once, and hides nothing, also when it is imported by an alias', async () => {
  const root = project({
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    'src/wrong.ts': 'export const wrong = {{\n',
    'definitions/a.ts': "import { wrong } from '@/wrong'\nexport default wrong\n",
    'definitions/b.ts': "throw new Error('thrown')\n",
  })
  const { findings } = await loadDefinitions({ root, definitions: ['definitions'] })
  expect(findings.map(({ at }) => at?.file)).toEqual(['src/wrong.ts', 'definitions/b.ts'])
})

test('TOOL-1 any character may be in the name of a folder or file with definitions', async () => {
  const names = ['a*b', '*', 'a?b', 'a[b]', 'a b', 'a#b', 'a%20b', "a'b", 'a"b', 'a`b', '$' + '{a}', 'a<b>']
  const folders = names.filter((name) => sep === '/' || !/[*?"<>]/.test(name))
  const tool = (name: string): string =>
    `import { text } from './text${sep === '/' ? '*' : ''}.js'
${typebox}export const tool = Type.Object({ _tool: Type.Literal('${name}') }, { description: text })\n`
  const files = folders.flatMap((name, index) => [
    [`${name}/tool.ts`, tool(`t${index}`)],
    [`${name}/text${sep === '/' ? '*' : ''}.js`, "export const text = 'a text'\n"],
  ])
  const root = project(Object.fromEntries(files))
  const { findings, definitions } = await loadDefinitions({
    root,
    definitions: folders.map((name) => `${name}/tool.ts`),
  })
  expect(findings).toEqual([])
  expect(definitions.map(({ name }) => name).sort()).toEqual(folders.map((_, index) => `t${index}`).sort())
})

test('TOOL-1 an empty tsconfig.json has no options, as TypeScript reads it', async () => {
  const source = `${typebox}import { text } from '#lib/text'\nexport const a = Type.Object({ _tool: Type.Literal('a'), text })`
  const paths = { '#lib/*': ['./lib/*.ts'] }
  const files = { 'definitions/a.ts': source, 'lib/text.ts': `${typebox}export const text = Type.String()` }
  expect(
    await names({
      ...files,
      'tsconfig.json': JSON.stringify({ extends: './base.json', compilerOptions: { paths } }),
      'base.json': '// nothing yet\n',
    }),
  ).toEqual(['tool a definitions/a.ts:3:14'])
  expect(await names({ 'definitions/a.ts': weather, 'tsconfig.json': '' })).toHaveLength(1)
})

test('a package of the workspace that is not built yet is told to be built first', async () => {
  const root = project({
    'definitions/a.ts': "import { money } from '@acme/shared'\nexport const a = money\n",
    'packages/shared/package.json':
      '{ "name": "@acme/shared", "type": "module", "exports": "./dist/index.js" }',
  })
  mkdirSync(join(root, 'node_modules/@acme'), { recursive: true })
  symlinkSync(join(root, 'packages/shared'), join(root, 'node_modules/@acme/shared'), 'junction')
  const { findings } = await loadDefinitions({ root, definitions: ['definitions'] })
  expect(findings).toMatchObject([
    { rule: 'missing-import', fix: expect.stringMatching(/^Build @acme\/shared first where/) },
  ])
})

test('a package of the workspace is read from its source under a condition of tsconfig.json', async () => {
  const source = `${typebox}import { text } from '@acme/shared'\nexport const a = Type.Object({ _tool: Type.Literal('a'), text })`
  const exported = { '@acme/source': './src/index.ts', default: './dist/index.js' }
  const root = project({
    'definitions/a.ts': source,
    'tsconfig.json': '{ "compilerOptions": { "customConditions": ["@acme/source"] } }',
    'packages/shared/package.json': JSON.stringify({
      name: '@acme/shared',
      type: 'module',
      exports: exported,
    }),
    'packages/shared/src/index.ts': `${typebox}export const text = Type.String()`,
  })
  mkdirSync(join(root, 'node_modules/@acme'), { recursive: true })
  symlinkSync(join(root, 'packages/shared'), join(root, 'node_modules/@acme/shared'), 'junction')
  const { findings, definitions } = await loadDefinitions({ root, definitions: ['definitions'] })
  expect(findings).toEqual([])
  expect(definitions.map(({ name }) => name)).toEqual(['a'])
})

test.each(['@/lib/text', '~/lib/text', '~lib'])(
  'the alias %s, unknown here, is not taken for a package',
  async (alias) => {
    const { findings } = await load({ 'definitions/a.ts': `import '${alias}'\n${weather}` })
    expect(findings).toMatchObject([
      { rule: 'missing-import', fix: expect.stringMatching(/^Declare the alias/) },
    ])
  },
)

test('a definitions place that is not there, or holds nothing, is an error', async () => {
  const root = project({ 'definitions/readme.md': '', 'a.css': '' })
  const { findings } = await loadDefinitions({ root, definitions: ['definitions', 'gone', 'a.css'] })
  expect(findings.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      ""definitions" holds no definition file (.ts, .mts, .js, .mjs, .json).",
      ""gone" does not exist.",
      ""a.css" is not a file that can hold definitions (.ts, .mts, .js, .mjs, .json).",
    ]
  `)
})

test('a package that is not installed is reported once, at its first import', async () => {
  const { findings, definitions } = await load(
    { 'definitions/a.ts': weather, 'definitions/b.ts': weather, 'definitions/c.json': '{ "title": "c" }' },
    ['esbuild'],
  )
  expect(findings.map(findingText)).toMatchInlineSnapshot(`
    [
      "definitions/a.ts:1:22 error missing-import: Cannot find package 'typebox'. It is also imported by definitions/b.ts.
      fix: Install it: npm install --save-dev typebox",
    ]
  `)
  expect(definitions.map(({ name }) => name)).toEqual(['c'])
})

test('a module that this Node does not have built in is reported at its import', async () => {
  const { findings, definitions } = await load({
    'definitions/a.ts': "import 'node:fs'\nimport 'node:of-later-versions'\nexport default { title: 'a' }",
    'definitions/b.json': '{ "title": "b" }',
  })
  expect(findings.map(findingText)).toMatchInlineSnapshot(`
    [
      "definitions/a.ts:2:8 error missing-import: No such built-in module: node:of-later-versions.
      fix: Use a version of Node that has node:of-later-versions, or import something else.",
    ]
  `)
  expect(definitions.map(({ name }) => name)).toEqual(['b'])
})

test('GEN-2 the order does not depend on how the places are written', async () => {
  const root = project({ 'definitions/b/x.ts': weather, 'definitions/a.json': '{ "title": "a" }' })
  const one = await loadDefinitions({ root, definitions: ['definitions'] })
  const other = await loadDefinitions({
    root,
    definitions: ['definitions/b/x.ts', 'definitions/a.json', 'definitions/b'],
  })
  expect(other.definitions.map(({ name }) => name)).toEqual(one.definitions.map(({ name }) => name))
})

test('GEN-3 a repeated load sees new code, also in what the definitions import', async () => {
  const root = project({
    'definitions/a.ts':
      "import { name } from '../lib/name.ts'\nexport default { properties: { _tool: { const: name } }, type: 'object' }",
    'lib/name.ts': "export const name = 'before'",
  })
  const first = await loadDefinitions({ root, definitions: ['definitions'] })
  writeFileSync(join(root, 'lib/name.ts'), "export const name = 'after'")
  const second = await loadDefinitions({ root, definitions: ['definitions'] })
  expect([first, second].map(({ definitions }) => definitions[0]?.name)).toEqual(['before', 'after'])
})

test('TOOL-7 a schema that two files import is one object', async () => {
  const tool = (name: string) => `import { Address } from '../lib/address.ts'\nimport { Type } from 'typebox'
export const ${name} = Type.Object({ _tool: Type.Literal('${name}'), address: Address })`
  const { definitions } = await load({
    'definitions/a.ts': tool('a'),
    'definitions/b.ts': tool('b'),
    'lib/address.ts': `${typebox}export const Address = Type.Object({ street: Type.String() })`,
  })
  const [a, b] = definitions.map(
    ({ value }) => (value as { properties: { address: unknown } }).properties.address,
  )
  expect(a).toBeDefined()
  expect(a).toBe(b)
})

test('inputs are the files that were read, packages and positions are named apart', async () => {
  const { root, inputs, packages, functionFiles } = await load({
    'definitions/a.ts': `import { s } from '../lib/s.ts'\nimport fs from 'node:fs'\nexport const a = { ...s, x: fs.existsSync('/') }`,
    'definitions/b.json': '{ "title": "b" }',
    'definitions/f.ts': '/**\n * @tool\n */\nexport async function f() {}',
    'lib/s.ts': `${typebox}export const s = Type.String()`,
  })
  expect(inputs).toEqual(
    ['definitions/a.ts', 'definitions/b.json', 'definitions/f.ts', 'lib/s.ts'].map((file) =>
      join(root, file),
    ),
  )
  expect(packages).toEqual(['node:fs', 'typebox'])
  expect(functionFiles).toEqual(['definitions/f.ts'])
})

describe('where the bundle runs', () => {
  const own = "import { shared } from 'own-name/shared'\nexport const a = shared"
  test('the project may import itself by name, and its temporary module is gone afterwards', async () => {
    const { root, findings, definitions } = await load({
      'package.json': '{ "name": "own-name", "type": "module", "exports": { "./shared": "./shared.js" } }',
      'shared.js': "export const shared = { type: 'string' }",
      'definitions/a.ts': own,
    })
    expect(findings).toEqual([])
    expect(definitions).toHaveLength(1)
    expect(readdirSync(root).sort()).toEqual(['definitions', 'node_modules', 'package.json', 'shared.js'])
  })

  test('files know their own place, also in a throwing file', async () => {
    const { root, findings, definitions } = await load({
      'definitions/a.ts': `import { readFileSync } from 'node:fs'
export const a = { type: 'string', title: readFileSync(new URL('../title.txt', import.meta.url), 'utf8'), description: import.meta.dirname }
throw new Error('after')`,
      'definitions/b.ts': `export const b = { type: 'string', description: import.meta.filename }`,
      'title.txt': 'found',
    })
    expect(findings.map(findingText)).toEqual([
      'definitions/a.ts:3:7 error definition-throws: definitions/a.ts throws when it is run: Error: after\n  fix: Correct the expression at this place; Callsheet runs the file alone, without arguments or services.',
    ])
    expect(definitions.map(({ value }) => value)).toEqual([
      { type: 'string', description: join(root, 'definitions/b.ts') },
    ])
  })

  test('GEN-4 the place of what a file throws is found through a linked node_modules', async () => {
    const shared = project({})
    const root = project({ 'definitions/a.ts': `\nthrow new Error('mine')` })
    rmSync(join(root, 'node_modules'), { recursive: true })
    symlinkSync(join(shared, 'node_modules'), join(root, 'node_modules'), 'junction')
    const { findings } = await loadDefinitions({ root, definitions: ['definitions'] })
    expect(findings).toMatchObject([{ rule: 'definition-throws', at: { line: 2, column: 7 } }])
  })

  test('the cache folder is left without files', async () => {
    const { root } = await load({ 'definitions/weather.ts': weather })
    const cache = join(root, 'node_modules/.cache/callsheet')
    expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([])
  })

  test('modules that killed runs left are removed, and those of other running ones are not', async () => {
    const left = `.callsheet-1-${randomUUID()}.mjs`
    const running = `.callsheet-2-${randomUUID()}.mjs`
    const cache = 'node_modules/.cache/callsheet'
    const files = { [`${cache}/${left}`]: '', [`${cache}/${running}`]: '', [`${cache}/0123.json`]: '' }
    const root = project({ 'definitions/a.js': "export const a = { type: 'string' }", ...files }, [])
    const yesterday = Date.now() / 1000 - 24 * 3600
    for (const name of [left, '0123.json']) utimesSync(join(root, cache, name), yesterday, yesterday)
    await loadDefinitions({ root, definitions: ['definitions'] })
    expect(readdirSync(join(root, cache)).sort()).toEqual([running, '0123.json'])
  })

  test('a node_modules that cannot be written to', async () => {
    const root = project({ 'definitions/a.js': "export const a = { type: 'string' }", node_modules: '' }, [])
    const { findings, definitions } = await loadDefinitions({ root, definitions: ['definitions'] })
    expect([findings, definitions.length]).toEqual([[], 1])
    expect(readdirSync(root).sort()).toEqual(['definitions', 'node_modules', 'package.json'])
    expect(writeModule(join(root, 'node_modules/.cache'), '')).toBeUndefined()
  })

  test('from a temporary folder Node finds the packages of the project and of the folders above', async () => {
    const root = project(
      {
        'node_modules/near/index.js': '',
        'one/node_modules/near/package.json': '{ "type": "module", "exports": "./index.js" }',
        'one/node_modules/near/index.js': "export const near = 'near'",
        'node_modules/far/package.json': '{ "type": "module", "exports": "./index.js" }',
        'node_modules/far/index.js': "export const far = 'far'",
      },
      [],
    )
    const code = "export { near } from 'near'\nexport { far } from 'far'"
    const module = writeTemporaryModule(join(root, 'one'), code)
    expect(await module?.run()).toMatchObject({ near: 'near', far: 'far' })
    expect(existsSync(module?.path ?? '')).toBe(false)
    expect(existsSync(join(root, 'node_modules/far/index.js'))).toBe(true)
  })

  test('from where Node finds no packages, they are taken into the bundle', async () => {
    const root = project({ 'definitions/weather.ts': weather })
    expect(modulePlaces(root, true).map(({ findsPackages }) => findsPackages)).toEqual([true, false])
    const options = {
      root,
      files: ['definitions/weather.ts'],
      broken: new Set<string>(),
      spared: new Set<string>(),
      rewritten: new Map(),
    }
    const built = await bundle({ ...options, packages: 'bundle' })
    const module = 'code' in built ? writeModule(join(project({}, []), 'alone'), built.code) : undefined
    if (!module) throw new Error('nothing was written')
    const { files } = (await module.run()) as { files: (() => Promise<Record<string, unknown>>)[] }
    expect(await files[0]?.()).toMatchObject({ weatherCheck: { type: 'object' } })
  })

  test('without node_modules in the project or above', async () => {
    const { findings, definitions } = await load(
      { 'definitions/a.js': "export const a = { type: 'string' }" },
      [],
    )
    expect([findings, definitions.length]).toEqual([[], 1])
  })

  test('a CommonJS file may require', async () => {
    const { findings, definitions } = await load({
      'package.json': '{}',
      'definitions/a.js':
        "const { join } = require('node:path')\nmodule.exports = { a: { type: 'string', title: join('a', 'b') } }",
    })
    expect([findings, definitions.length]).toEqual([[], 1])
  })
})
