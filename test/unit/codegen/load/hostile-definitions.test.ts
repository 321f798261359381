import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { evaluateFiles } from '../../../../codegen/load/evaluate-files.ts'
import { callsheet, definition, project } from '../cli/in-terminal.ts'
import { contents, fill, temporaryFolder } from '../write/temporary-folder.ts'

async function generated(files: Readonly<Record<string, string>>) {
  const { code, err } = await callsheet(project(files), ['generate'])
  return { code, err }
}

describe('GEN-4: what definitions throw is a finding with its place, whatever it is', () => {
  const thrown: { title: string; source: string; want: string }[] = [
    {
      title: 'an object whose toString throws',
      source: 'throw { toString() { throw new Error("inner") } }',
      want: 'definitions/a.ts throws when it is run:',
    },
    {
      title: 'an error whose members throw',
      source: `throw Object.defineProperties(new Error('x'), {
        message: { get() { throw 1 } }, name: { get() { throw 2 } }, stack: { get() { throw 3 } } })`,
      want: 'definitions/a.ts throws when it is run:',
    },
    {
      title: 'a revoked proxy',
      source: 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy',
      want: 'definitions/a.ts throws when it is run:',
    },
    {
      title: 'a proxy that throws whatever is asked of it',
      source: 'throw new Proxy({}, new Proxy({}, { get() { throw 1 } }))',
      want: 'definitions/a.ts throws when it is run:',
    },
    { title: 'null', source: 'throw null', want: 'definitions/a.ts throws when it is run: null' },
    {
      title: 'an error, at its place',
      source: '\n\n  throw new RangeError("too much")',
      want: 'definitions/a.ts:3:9 error definition-throws: definitions/a.ts throws when it is run: RangeError: too much',
    },
  ]
  test.each(thrown)('$title', async ({ source, want }) => {
    const { code, err } = await generated({ 'definitions/a.ts': `${source}\nexport {}\n` })
    expect(code).toBe(1)
    expect(err).toContain(want)
    expect(err).not.toContain('Callsheet itself failed')
  })

  const unreadable: { title: string; source: string }[] = [
    { title: 'a getter at its top', source: "export const o = trap({ type: 'object' }, '_tool')" },
    {
      title: 'a getter inside',
      source: "export const o = { ...named, items: trap({ type: 'string' }, 'description') }",
    },
    {
      title: 'a getter in a default',
      source: "export const o = { ...named, default: trap({}, 'x') }",
    },
    { title: 'a getter in a list', source: "export const o = { ...named, enum: trap(['x'], 1) }" },
    { title: 'a getter of an Idea', source: "export const o = trap({ schema: {} }, 'context')" },
    {
      title: 'a proxy',
      source: 'export const o = new Proxy({}, { get: trapped, ownKeys: trapped, has: trapped })',
    },
    {
      title: 'a revoked proxy',
      source: 'const { proxy: o, revoke } = Proxy.revocable({}, {}); revoke(); export { o }',
    },
  ]
  test.each(unreadable)('$title that throws when it is read', async ({ source }) => {
    const helpers = `const named = { type: 'object', properties: { _tool: { const: 'o' } } }
      function trapped() { throw new Error('trapped') }
      function trap(o: object, name: string | number) { return Object.defineProperty(o, name, { enumerable: true, get: trapped }) }`
    const { code, err } = await generated({ 'definitions/a.ts': `${helpers}\n${source}\n` })
    expect(code).toBe(1)
    expect(err).toContain('error malformed-tool: The export "o" is not a Tool: reading it throws: ')
    expect(err).not.toContain('Callsheet itself failed')
  })

  test.each([
    "JSON.stringify = (() => 'mine') as never",
    "Array.prototype.map = function () { throw new Error('mine') }",
    'Reflect.deleteProperty(Array.prototype, Symbol.iterator)',
    'RegExp.prototype.test = () => true',
    'Object.entries = () => []',
    'Map.prototype.has = () => true',
    'Reflect.deleteProperty(globalThis, "Date")',
  ])('%s changes nothing of what is generated', async (statement) => {
    const files = { 'definitions/a.ts': definition('a') }
    const [plain, changed] = [
      project(files),
      project({
        ...files,
        'definitions/b.ts': definition('b'),
        'definitions/a.ts': `${files['definitions/a.ts']}\n${statement}\n`,
      }),
    ]
    fill(plain, { 'definitions/b.ts': definition('b') })
    const codes = [await callsheet(plain, ['generate']), await callsheet(changed, ['generate'])]
    expect(codes.map(({ code }) => code)).toEqual([0, 0])
    expect(contents(join(changed, 'generated'))).toEqual(contents(join(plain, 'generated')))
  })

  test('files that import each other are named as a circle', async () => {
    const { code, err } = await generated({
      'definitions/a.ts':
        "import { b } from './b.ts'\nexport const a = { ...definitionOf(b) }\nfunction definitionOf(x: object) { return Object.fromEntries(Object.entries(x)) }\n",
      'definitions/b.ts': "import { a } from './a.ts'\nexport const b = { keys: Object.keys(a) }\n",
    })
    expect(code).toBe(1)
    expect(err).toContain('a circle of imports (definitions/')
    expect(err).toContain('fix: Move what both need into a file of its own')
  })

  test('what files that import each other leave undefined is refused at its place', async () => {
    const head = "import { Type } from 'typebox'\n"
    const { code, err } = await generated({
      'definitions/a.ts': `${head}import { B } from './b.ts'\nexport const A = Type.Object({ a: Type.String() })\nexport const a = Type.Object({ _tool: Type.Literal('a'), b: B })\n`,
      'definitions/b.ts': `${head}import { A } from './a.ts'\nexport const B = Type.Object({ list: Type.Array(A) })\n`,
    })
    expect(code).toBe(1)
    expect(err).toContain('definitions/b.ts:3:')
    expect(err).toContain('expected a schema, got undefined')
    expect(err).toContain('its file must not import this one')
  })
})

describe('a definition that never ends', () => {
  test('one that waits is given up after the limit, and the others are read', async () => {
    const folder = temporaryFolder()
    fill(folder, {
      'a.js': 'setInterval(() => {}, 1000).unref()\nawait new Promise(() => {})\nexport const a = 1\n',
      'b.js': 'export const b = 1\n',
      'package.json': '{ "type": "module" }',
    })
    const keepAlive = setInterval(() => {}, 1000)
    const { exports, findings } = await evaluateFiles(folder, ['a.js', 'b.js'], 100)
    clearInterval(keepAlive)
    expect(findings).toMatchObject([{ rule: 'definition-never-ends', at: { file: 'a.js' } }])
    expect([...exports.keys()]).toEqual(['b.js'])
  })

  test('one that is busy is named after a while, and the process is ended after the limit', () => {
    const watchdog = join(import.meta.dirname, '../../../../codegen/cli/watchdog.ts')
    const folder = temporaryFolder()
    fill(folder, {
      'busy.mts': `import { startWatchdog } from ${JSON.stringify(watchdog)}
startWatchdog({ warnAfter: 100, endAfter: 1500, format: 'json' })('definitions/busy.ts')
for (;;);
`,
    })
    const tsx = join(import.meta.dirname, '../../../../node_modules/tsx/dist/cli.mjs')
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsx, join(folder, 'busy.mts')], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect(status).not.toBe(0)
    expect(stderr).toContain('definitions/busy.ts has been running for 0.1 s')
    expect(stderr).toContain('error definitions/busy.ts does not end')
    const message = 'definitions/busy.ts does not end: it has been running for 1.5 s.'
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: 'cannot_read', faults: [{ message }] },
    })
  })
})

describe('TOOL-10: what is no JSON Schema is refused by the name of its library, never half-read', () => {
  const zod =
    "const schema = { _zod: {}, _def: {}, type: 'object', '~standard': { vendor: 'zod', version: 1 } }"
  const valibot =
    "const schema = { kind: 'schema', type: 'string', '~run': () => {}, '~standard': { vendor: 'valibot' } }"
  const arktype = "const schema = Object.assign(() => {}, { '~standard': { vendor: 'arktype' } })"
  const other = "const schema = { '~standard': { vendor: 'sury', validate() {} } }"
  const cases = [
    ['Zod', zod, 'z.toJSONSchema(schema)'],
    ['Valibot', valibot, '@valibot/to-json-schema'],
    ['ArkType', arktype, 'schema.toJsonSchema()'],
    ['sury', other, 'JSON Schema'],
  ] as const
  test.each(cases)('%s: as a Tool, a parameter, an output and an item', async (name, source, way) => {
    const inside = (part: string) =>
      `import { tool } from 'callsheet'\n${source}\nexport const a = tool('a', ${part})\n`
    const files = {
      'definitions/whole.ts': `${source}\nexport const whole = schema\n`,
      'definitions/parameter.ts': inside('{ x: schema }'),
      'definitions/output.ts': inside('{ _output: schema }').replaceAll("'a'", "'b'"),
      'definitions/item.ts': inside("{ x: { type: 'array', items: schema } }").replaceAll("'a'", "'c'"),
    }
    const { code, err } = await generated({
      ...files,
      'node_modules/callsheet/package.json':
        '{ "name": "callsheet", "type": "module", "exports": "./index.js" }',
      'node_modules/callsheet/index.js':
        "export const tool = (name, properties) => ({ type: 'object', properties: { _tool: { const: name }, ...properties }, required: ['_tool'] })\n",
    })
    expect(code).toBe(1)
    for (const file of Object.keys(files)) expect(err, file).toContain(`${file}:`)
    expect(err.split(`a schema of ${name}`)).toHaveLength(5)
    expect(err).toContain(way)
  })

  test('the JSON Schema that Zod 4 makes is one, with the face that it hides beside it', async () => {
    const hidden =
      "const json = (schema) => Object.defineProperty(schema, '~standard', { value: { vendor: 'zod', version: 1, validate() {} } })"
    const { code, err } = await generated({
      'definitions/a.ts': `${hidden}
export const a = {
  type: 'object',
  properties: { _tool: { const: 'a' }, x: json({ type: 'string' }), _output: json({ type: 'number' }) },
  required: ['_tool', 'x'],
}
`,
    })
    expect(err).not.toContain('error')
    expect(code).toBe(0)
  })

  test('a Date where a schema or a value belongs', async () => {
    const source = (part: string) =>
      `export const a = { type: 'object', properties: { _tool: { const: 'a' }, ${part} }, required: ['_tool'] }\n`
    const schema = await generated({ 'definitions/a.ts': source('since: new Date()') })
    expect(schema.err).toContain(
      "expected a schema, got a Date.\n  fix: Use Type.String({ format: 'date-time' }).",
    )
    const value = await generated({
      'definitions/a.ts': source("since: { type: 'string', default: new Date(0) }"),
    })
    expect(value.err).toContain('fix: Write it as text, as date.toISOString() does.')
  })
})

test('D13: a guess ends its sentence as a question', async () => {
  const source = definition('a').replace('_tool:', '_outputpath: Type.String(),\n  _tool:')
  const { err } = await generated({ 'definitions/a.ts': source })
  expect(err).toContain('?')
  expect(err).not.toContain('?.')
})
