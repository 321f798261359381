import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { check, generate } from '../../../../codegen/generate.ts'
import { contents, fill, times } from '../write/temporary-folder.ts'
import { callsheet, definition, project } from './in-terminal.ts'

const generatedIn = (folder: string) => contents(join(folder, 'generated'))

describe('callsheet generate', () => {
  test('GEN-1: writes, says in numbers what it did, and exits with 0', async () => {
    const folder = project({ 'definitions/search.ts': definition('search') })
    const { code, out, err } = await callsheet(folder, ['generate'])
    const files = Object.keys(generatedIn(folder))
    expect({ code, out, err }).toEqual({
      code: 0,
      out: '',
      err: `Generated 1 tool: ${files.length} written, 0 unchanged. (0 ms)\n`,
    })
    expect(files).toContain('manifest.json')
  })

  test('GEN-2, GEN-3: again gives the same bytes and touches no file, with and without the record of the last run', async () => {
    const folder = project({ 'definitions/search.ts': definition('search') })
    await callsheet(folder, ['generate'])
    const [texts, before] = [generatedIn(folder), times(join(folder, 'generated'))]
    for (const args of [['generate'], ['generate', '--no-cache']]) {
      expect((await callsheet(folder, args)).err).toContain(
        `0 written, ${Object.keys(texts).length} unchanged`,
      )
    }
    expect(times(join(folder, 'generated'))).toEqual(before)
    rmSync(join(folder, 'generated'), { recursive: true })
    await callsheet(folder, ['generate'])
    expect(generatedIn(folder)).toEqual(texts)
  })

  test('GEN-4: a wrong definition stops everything; every error has its place and its cure', async () => {
    const folder = project({ 'definitions/search.ts': definition('search') })
    await callsheet(folder, ['generate'])
    const before = generatedIn(folder)
    fill(folder, {
      'definitions/search.ts': definition('search', 'other'),
      'definitions/bad.ts': definition('not_ok').replaceAll("'not_ok'", "'no spaces please'"),
      'definitions/broken.ts': 'export const x = {',
    })
    const { code, out, err } = await callsheet(folder, ['generate'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/definitions\/bad\.ts:\d+:\d+ error /)
    expect(err).toMatch(/definitions\/broken\.ts:\d+:\d+ error /)
    expect(err).toMatch(/\d errors\. Nothing was written\. \(0 ms\)\n$/)
    expect(generatedIn(folder)).toEqual(before)
  })

  test('a listed Activity is not told to be unknown where its definition could not be read', async () => {
    const folder = project({
      'callsheet.config.json': JSON.stringify({ activities: ['search', 'serch'] }),
      'definitions/search.ts': definition('search').replaceAll("'typebox'", "'not-installed'"),
    })
    const { code, err } = await callsheet(folder, ['generate'])
    expect([code, err]).toEqual([1, expect.stringContaining('not-installed')])
    expect(err).not.toContain('no Tool has an Activity')
    fill(folder, { 'definitions/search.ts': definition('search') })
    expect((await callsheet(folder, ['generate'])).err).toMatch(/lists "serch", and no Tool has an Activity/)
  })

  test('TOOL-2: a meta-field that is no schema is one error, with the advice of its rule', async () => {
    const wrong = definition('a').replace('_output: ', "_instance: 'x', _outputPath: 5, _output: ")
    expect(wrong).toContain('_instance')
    const { code, err } = await callsheet(project({ 'definitions/a.ts': wrong }), ['generate'])
    expect([code, err.match(/ error [\w-]+/g)]).toEqual([
      1,
      [' error malformed-schema', ' error malformed-schema'],
    ])
    expect(err).toContain(
      'Tool "a" at /properties/_instance: expected a schema, got "x".\n  fix: Use Type.String().',
    )
  })

  test('notes wait until nothing is wrong', async () => {
    const bare =
      "export const bare = { type: 'object', properties: { _tool: { const: 'bare' } }, required: ['_tool'] }\n"
    const folder = project({ 'definitions/bare.ts': bare, 'definitions/broken.ts': 'export const x = {' })
    expect((await callsheet(folder, ['generate'])).err).not.toContain(' note ')
    rmSync(join(folder, 'definitions/broken.ts'))
    expect((await callsheet(folder, ['generate'])).err).toContain(' note no-description')
  })

  test('TOOL-7: a shared schema may have a name of any script, as an export, $id, title or key', async () => {
    const folder = project({
      'definitions/a.ts': `import { Type } from 'typebox'
export const größe = Type.Object({ cm: Type.Number() })
const Ort = Type.Object({ x: Type.Number() }, { $id: 'örtlichkeit' })
const 数 = Type.Object({ y: Type.Array(Type.String()) }, { title: '数' })
const tool = (name: string) => Type.Object({ _tool: Type.Literal(name), größe, Ort, 数, k: Type.Ref('#/$defs/é') }, { $defs: { é: Type.Object({ z: größe }) }, description: 'D' })
export const a = tool('a')
export const b = tool('b')
`,
    })
    expect(await callsheet(folder, ['generate', '-s'])).toMatchObject({ code: 0 })
    const types = generatedIn(folder)['types.ts'] ?? ''
    for (const name of ['Größe', 'Örtlichkeit', '数', 'AÉ'])
      expect(types).toContain(`export interface ${name} {`)
  })

  test('GEN-5: a stranger’s file is an error of exit code 1; what is obsolete goes', async () => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'definitions/b.ts': definition('b') })
    await callsheet(folder, ['generate'])
    const withB = Object.keys(generatedIn(folder))
    rmSync(join(folder, 'definitions/b.ts'))
    const { err } = await callsheet(folder, ['generate'])
    const gone = withB.filter((path) => !Object.hasOwn(generatedIn(folder), path))
    expect(gone).not.toEqual([])
    expect(err).toContain(`${gone.length} removed`)

    fill(folder, { 'generated/types.ts': 'export const mine = 1\n' })
    const refused = await callsheet(folder, ['generate'])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('generated/types.ts:1:1 error foreign-file')
    expect(generatedIn(folder)['types.ts']).toBe('export const mine = 1\n')
  })

  test('--silent says nothing when all is well, and errors all the same', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    expect(await callsheet(folder, ['generate', '-s'])).toEqual({ code: 0, out: '', err: '' })
    fill(folder, { 'definitions/b.ts': 'export const x = {' })
    expect((await callsheet(folder, ['generate', '-s'])).err).toContain('definitions/b.ts')
  })

  test('--silent says nothing of the files that other commands write', async () => {
    const tools = JSON.stringify({ tools: [{ name: 'search', inputSchema: { type: 'object' } }] })
    const folder = project({ 'definitions/a.ts': definition('a'), 'tools.json': tools })
    const commands = [['generate'], ['scaffold'], ['init', '--kind', 'single'], ['import', 'tools.json']]
    for (const command of commands) {
      const before = Object.keys(contents(folder)).length
      expect(await callsheet(folder, [...command, '-s'])).toEqual({ code: 0, out: '', err: '' })
      expect(Object.keys(contents(folder)).length).toBeGreaterThan(before)
    }
  })

  test('several sets: each into its own folder, and an error in one stops all', async () => {
    const folder = project({
      'callsheet.config.json': JSON.stringify({
        sets: [
          { definitions: 'mail/tools', output: 'mail/generated' },
          { definitions: 'shop/tools', output: 'shop/generated' },
        ],
      }),
      'mail/tools/send.ts': definition('send'),
      'shop/tools/send.ts': definition('send', 'order'),
    })
    const { code, err } = await callsheet(folder, ['generate'])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('Generated 2 tools') })
    const before = contents(join(folder, 'mail/generated'))
    fill(folder, {
      'mail/tools/send.ts': definition('send', 'changed'),
      'shop/tools/bad.ts': 'export const x = {',
    })
    expect((await callsheet(folder, ['generate'])).code).toBe(1)
    expect(contents(join(folder, 'mail/generated'))).toEqual(before)
  })
})

describe('GEN-3: callsheet generate --check', () => {
  test('exits with 0 when all is as generated', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await callsheet(folder, ['generate'])
    for (const args of [
      ['generate', '--check'],
      ['generate', '--check', '--no-cache'],
    ]) {
      const { code, out, err } = await callsheet(folder, args)
      expect({ code, out, err }).toEqual({
        code: 0,
        out: '',
        err: expect.stringMatching(/^Fresh: 1 tool, \d+ files\. /),
      })
    }
  })

  const edits: { title: string; edit: (folder: string) => void; stale: string[] }[] = [
    {
      title: 'a hand-edited file',
      edit: (folder) => append(folder, 'generated/types.ts', '// mine\n'),
      stale: ['stale generated/types.ts'],
    },
    {
      title: 'a deleted file',
      edit: (folder) => rmSync(join(folder, 'generated/index.ts')),
      stale: ['missing generated/index.ts'],
    },
    {
      title: 'a file of a Tool that is gone',
      edit: (folder) => {
        fill(folder, { 'generated/old.ts': '// @generated by callsheet\n' })
        const manifest = generatedIn(folder)['manifest.json'] ?? ''
        fill(folder, {
          'generated/manifest.json': manifest.replace('"files": [', '"files": [\n    "old.ts",'),
        })
      },
      stale: ['stale generated/manifest.json', 'obsolete generated/old.ts'],
    },
  ]
  test.each(edits)('lists $title, writes nothing, exits with 1', async ({ edit, stale }) => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await callsheet(folder, ['generate'])
    edit(folder)
    const before = contents(folder)
    const { code, out, err } = await callsheet(folder, ['generate', '--check'])
    expect({ code, out }).toEqual({ code: 1, out: stale.map((line) => `${line}\n`).join('') })
    expect(err).toContain('Run `callsheet generate` and commit the result.')
    expect(contents(folder)).toEqual(before)
    await callsheet(folder, ['generate'])
    expect((await callsheet(folder, ['generate', '--check'])).code).toBe(0)
  })

  test('names every file of a changed definition', async () => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'definitions/b.ts': definition('b') })
    await callsheet(folder, ['generate'])
    fill(folder, { 'definitions/a.ts': definition('a', 'renamed') })
    const { out } = await callsheet(folder, ['generate', '--check'])
    expect(out).toContain('stale generated/tools/a.ts\n')
    expect(out).not.toContain('generated/tools/b.ts')
  })

  test('--diff shows a unified diff', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await callsheet(folder, ['generate'])
    append(folder, 'generated/types.ts', '// mine\n')
    const { code, out } = await callsheet(folder, ['generate', '--check', '--diff'])
    expect(code).toBe(1)
    expect(out).toMatch(
      /^--- a\/generated\/types\.ts\n\+\+\+ b\/generated\/types\.ts\n@@ [\s\S]*\n-\/\/ mine\n$/,
    )
  })

  test('works before the first generation, and without write access', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const report = await check({ cwd: folder })
    expect(report.ok).toBe(false)
    expect(new Set(report.changes.map((change) => change.kind))).toEqual(new Set(['added']))
    expect(Object.keys(contents(folder)).some((path) => path.startsWith('generated'))).toBe(false)
  })
})

describe('output for other programs', () => {
  test('--format json', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await callsheet(folder, ['generate'])
    append(folder, 'generated/types.ts', '// mine\n')
    const { out, err } = await callsheet(folder, ['generate', '--check', '--diff', '--format', 'json'])
    expect(err).toBe('')
    expect(JSON.parse(out)).toEqual({
      ok: false,
      tools: 1,
      changes: [{ path: 'generated/types.ts', kind: 'changed', diff: expect.stringContaining('-// mine') }],
      unchanged: Object.keys(generatedIn(folder)).length - 1,
      findings: [],
    })
  })

  test('--format json of a wrong definition carries its findings', async () => {
    const folder = project({ 'definitions/a.ts': 'export const x = {' })
    const { code, out } = await callsheet(folder, ['generate', '--format', 'json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      changes: [],
      findings: expect.arrayContaining([
        expect.objectContaining({
          severity: 'error',
          at: { file: 'definitions/a.ts', line: 1, column: expect.any(Number) },
        }),
      ]),
    })
  })

  test.each([['generate', '--check'], ['lint'], ['scaffold'], ['diff', '--against', './yesterday']])(
    'GEN-4 annotations of a package in a repository name files as the repository does: %s',
    async (...args) => {
      const repository = project({
        'packages/contract/package.json': '{"type":"module"}',
        'packages/contract/definitions/a.ts': definition('a'),
        'packages/contract/yesterday/package.json': '{"type":"module"}',
        'packages/contract/yesterday/definitions/b.ts': definition('b'),
      })
      const cwd = join(repository, 'packages/contract')
      const files = async (...more: readonly string[]): Promise<Set<string | undefined>> => {
        const { out } = await callsheet(
          more.length > 0 ? repository : cwd,
          [...args, '--format', 'github', ...more],
          {
            repository,
          },
        )
        return new Set(
          [...out.matchAll(/ file=([^,]+),/g)].map(([, file]) => file?.replace(/generated\/.*/, 'generated')),
        )
      }
      const found = await files()
      if (args[0] !== 'scaffold') expect(found.size).toBeGreaterThan(0)
      for (const file of found) expect(file).toMatch(/^packages\/contract\//)
      expect(await files('--cwd', 'packages/contract')).toEqual(found)
    },
  )

  test('--format github', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await callsheet(folder, ['generate'])
    append(folder, 'generated/types.ts', '// mine\n')
    expect((await callsheet(folder, ['generate', '--check', '--format', 'github'])).out).toBe(
      '::error file=generated/types.ts,line=1,col=1,title=stale-file::generated/types.ts is stale.%0Afix: Run `callsheet generate` and commit the result.\n',
    )
    fill(folder, { 'definitions/b.ts': 'export const x = {' })
    const { out } = await callsheet(folder, ['generate', '--format', 'github'])
    expect(out).toMatch(/^::error file=definitions\/b\.ts,line=1,col=\d+,title=[a-z-]+::/)
  })
})

describe('GEN-3: --check after a formatter or a linter', () => {
  const work: { title: string; spoil: (folder: string) => void }[] = [
    {
      title: 'files laid out anew',
      spoil: (folder) => {
        const biome = join(import.meta.dirname, '../../../../node_modules/.bin/biome')
        execFileSync(biome, ['format', '--write', 'generated'], {
          cwd: folder,
          stdio: 'pipe',
        })
      },
    },
    {
      title: 'a directive removed',
      spoil: (folder) => {
        const text = generatedIn(folder)['types.ts'] ?? ''
        fill(folder, { 'generated/types.ts': text.replace('/* eslint-disable */\n', '') })
      },
    },
  ]
  test.each(work)('says that the folder is to be ignored: $title', async ({ spoil }) => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await callsheet(folder, ['generate'])
    spoil(folder)
    const { code, err } = await callsheet(folder, ['generate', '--check'])
    expect(code).toBe(1)
    expect(err).toContain('let it ignore the folder')
  })

  test('does not say so of a file that says something else', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await callsheet(folder, ['generate'])
    fill(folder, { 'definitions/a.ts': definition('a', 'other') })
    expect((await callsheet(folder, ['generate', '--check'])).err).not.toContain('ignore')
  })
})

describe('the record of the last run', () => {
  const changes: { title: string; change: (folder: string) => void }[] = [
    {
      title: 'a definition',
      change: (folder) => fill(folder, { 'definitions/a.ts': definition('a', 'other') }),
    },
    {
      title: 'a file that a definition imports',
      change: (folder) => fill(folder, { 'shared/name.ts': "export const note = 'new'\n" }),
    },
    {
      title: 'a new definition',
      change: (folder) => fill(folder, { 'definitions/deep/b.ts': definition('b') }),
    },
    { title: 'a deleted definition', change: (folder) => rmSync(join(folder, 'definitions/c.ts')) },
    {
      title: 'a new configuration',
      change: (folder) => fill(folder, { 'callsheet.config.json': '{"importExtension":".ts"}' }),
    },
    {
      title: 'the tsconfig.json',
      change: (folder) =>
        fill(folder, { 'tsconfig.json': '{"compilerOptions":{"moduleResolution":"bundler"}}' }),
    },
    {
      title: 'a registration in the sources (ACT-3b)',
      change: (folder) =>
        fill(folder, {
          'src/deep/a.ts':
            "import { Activity } from '../../generated/index.js'\nActivity.register('a', () => 'x')\n",
        }),
    },
    { title: 'an output', change: (folder) => append(folder, 'generated/types.ts', ' ') },
    { title: 'a deleted output', change: (folder) => rmSync(join(folder, 'generated/types.ts')) },
  ]
  test.each(changes)('never hides a change: $title', async ({ change }) => {
    const imported = definition('a')
      .replace("'Made for a test.'", 'note')
      .replace('\n', "\nimport { note } from '../shared/name.ts'\n")
    const folder = project({
      'definitions/a.ts': imported,
      'definitions/c.ts': definition('c'),
      'shared/name.ts': "export const note = 'old'\n",
    })
    await settled()
    await generate({ cwd: folder })
    expect((await generate({ cwd: folder })).inputs, 'answered from the record').toEqual([])
    change(folder)
    expect((await check({ cwd: folder })).ok).toBe(false)
    const after = await generate({ cwd: folder })
    expect(after.changes).not.toEqual([])
    expect((await check({ cwd: folder, cache: false })).ok).toBe(true)
  })

  test('GEN-3, GEN-5 a generated file that a merge kept is not hidden by the record', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await settled()
    await generate({ cwd: folder })
    expect((await generate({ cwd: folder })).inputs, 'answered from the record').toEqual([])
    fill(folder, { 'generated/tools/old.ts': readFileSync(join(folder, 'generated/tools/a.ts'), 'utf8') })
    const left = [{ kind: 'removed', path: 'generated/tools/old.ts' }]
    expect((await check({ cwd: folder })).changes).toMatchObject(left)
    expect((await generate({ cwd: folder })).changes).toMatchObject(left)
  })

  const noted = definition('a').replace("'Made for a test.'", 'note')
  const elsewhere: { title: string; from: string; path: string; text: (to: string) => string }[] = [
    {
      title: 'the tsconfig.json of a folder between',
      from: '#note',
      path: 'src/tsconfig.json',
      text: (to) => JSON.stringify({ compilerOptions: { paths: { '#note': [`../lib/${to}.ts`] } } }),
    },
    {
      title: 'what that tsconfig.json extends',
      from: '#note',
      path: 'base.json',
      text: (to) => JSON.stringify({ compilerOptions: { paths: { '#note': [`./lib/${to}.ts`] } } }),
    },
    {
      title: 'the package.json of a folder between',
      from: '../../lib',
      path: 'lib/package.json',
      text: (to) => JSON.stringify({ type: 'module', main: `./${to}.ts` }),
    },
    {
      title: 'what a workspace has installed above the project',
      from: 'typebox',
      path: '../node_modules/.package-lock.json',
      text: (to) => JSON.stringify({ note: to }),
    },
    {
      title: 'a package that the configuration imports',
      from: 'preset',
      path: 'node_modules/preset/index.js',
      text: (to) => `export default { importExtension: ${to === 'old' ? "'.js'" : "'.ts'"} }`,
    },
  ]
  test.each(elsewhere)('GEN-3 never hides a change of $title', async ({ from, path, text }) => {
    const imports = /^[#.]/.test(from) ? from : '../../lib/old.ts'
    const whole = project({
      'one/src/definitions/a.ts': noted.replace('\n', `\nimport { note } from '${imports}'\n`),
      'one/lib/old.ts': "export const note = 'old'\n",
      'one/lib/new.ts': "export const note = 'new'\n",
      'one/package.json': '{ "type": "module" }',
      'one/node_modules/preset/package.json': '{ "type": "module", "exports": "./index.js" }',
      'one/src/tsconfig.json': '{ "extends": "../base.json" }',
      'one/callsheet.config.mjs': `${from === 'preset' ? "import preset from 'preset'" : 'const preset = {}'}
        export default { definitions: 'src/definitions', ...preset }`,
    })
    const folder = join(whole, 'one')
    fill(folder, { [path]: text('old') })
    await settled()
    await generate({ cwd: folder })
    if (from !== 'preset') expect((await generate({ cwd: folder })).inputs, 'from the record').toEqual([])
    fill(folder, { [path]: text('new') })
    expect((await generate({ cwd: folder })).inputs, 'the work was done').not.toEqual([])
    expect((await check({ cwd: folder })).changes).toEqual([])
  })

  const ownsActivity =
    "import { createRegistry } from 'callsheet'\nexport const { Activity } = createRegistry()\n"
  const passed = {
    'one/src/own.ts': "export { Activity } from '../generated/index.js'\n",
    'one/src/made.ts': ownsActivity,
  }
  const registering: { title: string; from: string; path: string; old: string; now: string }[] = [
    {
      title: 'in a folder of tests',
      from: './tests/own.js',
      path: 'one/tests/own.ts',
      old: ownsActivity,
      now: "export { Activity } from '../generated/index.js'\n",
    },
    {
      title: 'beside the project, which was not there',
      from: '../own.js',
      path: 'own.ts',
      old: '',
      now: ownsActivity,
    },
    {
      title: 'that a package.json of a folder names',
      from: '#own',
      path: 'one/src/package.json',
      old: '{ "imports": { "#own": "./own.ts" } }',
      now: '{ "imports": { "#own": "./made.ts" } }',
    },
  ]
  test.each(registering)('ACT-3b never hides a change of a file $title', async ({ from, path, old, now }) => {
    const work = from.startsWith('#') ? 'one/src/work.ts' : 'one/work.ts'
    const whole = project({
      'one/package.json': '{ "type": "module" }',
      'one/definitions/a.ts': definition('a'),
      ...(from.startsWith('#') && passed),
      [work]: `import { Activity } from '${from}'\nActivity.register('a', () => 'x')\n`,
      ...(old !== '' && { [path]: old }),
    })
    const folder = join(whole, 'one')
    await settled()
    await generate({ cwd: folder })
    expect((await generate({ cwd: folder })).inputs, 'from the record').toEqual([])
    fill(whole, { [path]: now })
    expect((await generate({ cwd: folder })).changes).not.toEqual([])
    expect((await check({ cwd: folder })).changes).toEqual([])
  })

  test.each([
    'process.env.CALLSHEET_NOTE',
    'String((({ random } = Math) => random())())',
    'String(Math["random"]())',
    'String((1.5).toLocaleString())',
    'String(((Now = Date) => new Now())())',
    `String('ä'.localeCompare('z'))`,
    `String(Reflect.get(Math, 'random')())`,
    'String(Reflect.construct(Date, []))',
    `String((() => { return Date['now']() })())`,
    'String((() => Date)().now())',
    'String((0 || Date).now())',
    'String(new (class extends Date {})())',
    '(({ DateTimeFormat } = Intl) => new DateTimeFormat().resolvedOptions().timeZone)()',
    'String(performance?.timeOrigin)',
  ])('is not kept where files cannot tell: %s', async (note) => {
    const folder = project({ 'definitions/a.ts': definition('a').replace("'Made for a test.'", note) })
    await settled()
    await generate({ cwd: folder })
    expect((await generate({ cwd: folder })).inputs).not.toEqual([])
  })

  test('GEN-3 is kept where only functions read the environment, and not where a definition runs their file', async () => {
    const folder = project({
      'src/f.ts': `/** @tool */
export const f = (): string => process.env.CALLSHEET_NOTE ?? ''
export const note = process.env.CALLSHEET_NOTE ?? 'none'
`,
      'definitions/a.ts': `export { f } from '../src/f.js'\n${definition('a')}`,
    })
    await settled()
    await generate({ cwd: folder })
    expect((await generate({ cwd: folder })).inputs).toEqual([])
    fill(folder, {
      'definitions/a.ts': `import { note } from '../src/f.js'\n${definition('a').replace("'Made for a test.'", 'note')}`,
    })
    await settled()
    await generate({ cwd: folder })
    expect((await generate({ cwd: folder })).inputs).not.toEqual([])
  })

  test('GEN-3 never hides a change of a package that the types of functions come from', async () => {
    const folder = project({
      'definitions/a.ts': `import type { Row } from 'made'
/** @tool */
export const a = (row: Row): string => JSON.stringify(row)
`,
      'node_modules/made/package.json': '{ "name": "made", "version": "1.0.0", "types": "./index.d.ts" }',
      'node_modules/made/index.d.ts': "export type { Row } from './rows/row.js'\n",
      'node_modules/made/rows/row.d.ts': 'export interface Row { id: string }\n',
    })
    await settled()
    await generate({ cwd: folder })
    expect((await generate({ cwd: folder })).inputs).toEqual([])
    fill(folder, { 'node_modules/made/rows/row.d.ts': 'export interface Row { id: number }\n' })
    expect((await generate({ cwd: folder })).changes).not.toEqual([])
    expect((await check({ cwd: folder })).ok).toBe(true)
  })

  test('GEN-3 --check does the whole work: a package that definitions import, and the environment, are seen', async () => {
    const withPackage = definition('a')
      .replace("'Made for a test.'", 'note')
      .replace('\n', "\nimport { note } from 'notes'\n")
    const folder = project({
      'definitions/a.ts': withPackage,
      'definitions/b.ts': definition('b')
        .replace("'Made for a test.'", "environment['NOTE'] ?? 'none'")
        .replace('\n', "\nimport { environment } from 'notes'\n"),
      'node_modules/notes/package.json':
        '{ "name": "notes", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
      'node_modules/notes/index.js': "export const note = 'old'\nexport const environment = process.env\n",
    })
    await settled()
    await generate({ cwd: folder })
    expect((await check({ cwd: folder })).ok).toBe(true)
    process.env.NOTE = 'from the environment'
    try {
      const stale = (await check({ cwd: folder })).changes.map(({ path }) => path)
      expect(stale).toContain('generated/schemas.ts')
      expect((await generate({ cwd: folder })).changes).not.toEqual([])
    } finally {
      delete process.env.NOTE
    }
  })

  test('keeps the warnings of the run', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await settled()
    const first = await generate({ cwd: folder })
    const second = await generate({ cwd: folder })
    expect(second.findings).toEqual(first.findings)
    expect(second.tools).toBe(1)
  })

  test('that is damaged is ignored', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    await settled()
    await generate({ cwd: folder })
    for (const path of Object.keys(contents(join(folder, 'node_modules/.cache'))))
      fill(join(folder, 'node_modules/.cache'), { [path]: '{' })
    expect((await check({ cwd: folder })).ok).toBe(true)
  })
})

/** A run keeps no record of files that were written the instant before: a later change could carry the same time. */
async function settled(): Promise<void> {
  await new Promise((passed) => setTimeout(passed, 40))
}

function append(folder: string, path: string, text: string): void {
  fill(folder, { [path]: `${contents(folder)[path] ?? ''}${text}` })
}
