import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { coverageLines } from '../../../../codegen/scaffold/coverage.ts'
import { callsheet, definition, project } from '../cli/in-terminal.ts'
import { contents, fill, times } from '../write/temporary-folder.ts'

const repository = join(import.meta.dirname, '../../../..')

const kit = `import { Type } from 'typebox'
import { toolkit } from ${JSON.stringify(join(repository, 'runtime/schema/tool.ts'))}
export const Text = toolkit('Text', {
  bold: { phrase: Type.String(), 'odd-key': Type.String(), class: Type.String(), _output: Type.String() },
  plain: { _output: Type.String() },
}, { description: 'Marks text.' })
`
const latent = `import { Type } from 'typebox'
export const mood = Type.Object({ _tool: Type.Literal('mood'), _activity: Type.Literal(''), _output: Type.String() }, { description: 'x' })
`

describe('GEN-6: callsheet scaffold', () => {
  test('writes one typed file per Tool without an Activity, once', async () => {
    const folder = project({
      'definitions/search.ts': definition('search'),
      'definitions/kit.ts': kit,
      'definitions/mood.ts': latent,
    })
    const first = await callsheet(folder, ['scaffold'])
    expect(first).toEqual({
      code: 0,
      out: 'activities/Text__bold.ts\nactivities/Text__plain.ts\nactivities/search.ts\n',
      err: 'activities/: 3 of 3 Activities registered.\nScaffolded: 3 written, 0 merged.\n',
    })
    const files = contents(join(folder, 'activities'))
    expect(files['search.ts']).toBe(`import { Activity } from '../generated/index.js'

/** Made for a test. */
Activity.register('search', async ({ query }, _tool, _context, _run) => {
  throw new Error('not implemented: search', { cause: { query } })
})
`)
    expect(files['Text__bold.ts']).toContain("async ({ phrase, 'odd-key': odd_key, class: class_ }, _tool")
    const before = times(join(folder, 'activities'))
    expect(await callsheet(folder, ['scaffold', '-s'])).toEqual({ code: 0, out: '', err: '' })
    expect(times(join(folder, 'activities'))).toEqual(before)
  })

  test('GEN-7: what it writes compiles strictly, and no longer when a parameter is gone', async () => {
    const folder = project({
      'definitions/search.ts': definition('search'),
      'definitions/kit.ts': kit,
      'tsconfig.json': tsconfig,
    })
    await callsheet(folder, ['generate', '-s'])
    await callsheet(folder, ['scaffold', '-s'])
    expect(compile(folder)).toEqual([])
    fill(folder, { 'definitions/search.ts': definition('search', 'question') })
    await callsheet(folder, ['generate', '-s'])
    expect(compile(folder)).toEqual([
      expect.stringMatching(/^activities\/search\.ts\(4.*Property 'query' does not exist/),
    ])
  })

  test('an Activity that is registered anywhere in the folder is no gap; comments, texts and tests are no registrations', async () => {
    const folder = project({
      'definitions/a.ts': definition('a'),
      'definitions/b.ts': definition('b'),
      'definitions/c.ts': definition('c'),
      'activities/all/mine.ts': `import { Activity as A } from '../../../../generated/index.js'
A.register('a', async () => ({ found: true }))
// A.register('c', async () => ({ found: true }))
A.register(
  "gone",
  async () => 1,
)
export const hint = "Write A.register('c', …)."
`,
      'activities/mine.test.ts': "Activity.register('b')",
      'activities/tests/helpers.ts': "Activity.register('b')",
    })
    const { code, out, err } = await callsheet(folder, ['scaffold'])
    expect({ code, out }).toEqual({ code: 0, out: 'activities/b.ts\nactivities/c.ts\n' })
    expect(err).toContain('3 of 3 Activities registered')
    expect(err).toContain(
      'activities/all/mine.ts:4:1 orphan: Activity "gone" is registered, and no Tool needs it.',
    )
  })

  test('an Activity that is registered elsewhere in the project gets no second file', async () => {
    const folder = project({
      'definitions/a.ts': definition('a'),
      'definitions/b.ts': definition('b'),
      'src/work.ts':
        "import { Activity } from '../generated/index.js'\nActivity.register('a', async () => ({ found: true }))\n",
      'src/work.test.ts':
        "import { Activity } from '../generated/index.js'\nActivity.register('b', async () => ({ found: true }))\n",
    })
    const { out, err } = await callsheet(folder, ['scaffold'])
    expect(out).toBe('activities/b.ts\n')
    expect(err).toContain('2 of 2 Activities registered')
    expect((await callsheet(folder, ['generate'])).err).toContain('2 of 2 Activities registered')
  })

  test('a wrong definition: every error, exit code 1, nothing written', async () => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'definitions/b.ts': 'export const x = {' })
    const { code, err } = await callsheet(folder, ['scaffold'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('definitions/b.ts:1:') })
    expect(Object.keys(contents(folder)).some((path) => path.startsWith('activities'))).toBe(false)
  })

  test('ACT-3a: nothing is scaffolded for what is implemented elsewhere', async () => {
    const folder = project({
      'definitions/a.ts': definition('a'),
      'callsheet.config.json': JSON.stringify({ activities: 'same-name', activitiesFolder: 'src/work' }),
    })
    expect((await callsheet(folder, ['scaffold'])).err).toContain('src/work/: 0 of 0 Activities')
  })

  test('as JSON: what was written, gaps, orphans', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const { out } = await callsheet(folder, ['scaffold', '--format', 'json'])
    expect(JSON.parse(out)).toEqual({
      ok: true,
      written: ['activities/a.ts'],
      merged: [],
      gaps: [],
      orphans: [],
      findings: [],
    })
  })
})

describe('GEN-6: generate ends with what is missing', () => {
  test('only when there is an activities folder; also when nothing changed', async () => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'definitions/b.ts': definition('b') })
    expect((await callsheet(folder, ['generate'])).err).not.toContain('activities/')
    await callsheet(folder, ['scaffold', '-s'])
    rmSync(join(folder, 'activities/b.ts'))
    for (const _ of [1, 2]) {
      const { err } = await callsheet(folder, ['generate'])
      expect(err).toContain(
        'activities/: 1 of 2 Activities registered; missing: b. Run `callsheet scaffold`.',
      )
    }
  })
})

test('GEN-6: of many that are missing a few are named', () => {
  const gaps = Array.from({ length: 1_000 }, (_, at) => `tool${at}`)
  const [line] = coverageLines({ registered: ['one'], gaps, orphans: [] }, 'activities')
  expect(line).toBe(
    `activities/: 1 of 1001 Activities registered; missing: ${gaps.slice(0, 12).join(', ')} and 988 more. Run \`callsheet scaffold\`.`,
  )
})

describe('GEN-6: --merge', () => {
  const mine = `import { Activity } from '../generated/index.js' // mine\r\n\r\nconst helper = () => 1\r\nActivity.register('Text.bold', async () => String(helper())) // keep\r\nexport { helper }`

  test('asks, shows the diff, and inserts after the last registration; a no changes nothing', async () => {
    const folder = project({ 'definitions/kit.ts': kit, 'activities/text.ts': mine })
    const asked: string[] = []
    const answer = (text: string) => async (question: string) => {
      asked.push(question)
      return text
    }
    const refused = await callsheet(folder, ['scaffold', '--merge'], { ask: answer('n') })
    expect(refused.err).toContain("+Activity.register('Text.plain'")
    expect(readFileSync(join(folder, 'activities/text.ts'), 'utf8')).toBe(mine)
    const { code, out } = await callsheet(folder, ['scaffold', '--merge'], { ask: answer('y') })
    expect({ code, out, asked }).toEqual({
      code: 0,
      out: 'activities/text.ts\n',
      asked: Array(2).fill('Insert this into 1 file? [y/N] '),
    })
    const [head, tail] = mine.split('export { helper }') as [string, string]
    expect(readFileSync(join(folder, 'activities/text.ts'), 'utf8')).toBe(
      `${head}\r\n/** Marks text. */\r\nActivity.register('Text.plain', async () => {\r\n  throw new Error('not implemented: Text.plain')\r\n})\r\nexport { helper }${tail}`,
    )
  })

  test.each([
    ['', "import { Activity } from '../generated/index.js'\n"],
    [
      "#!/usr/bin/env node\n'use strict'\nconst Activity = 1\n",
      "import { Activity as generatedActivity } from '../generated/index.js'",
    ],
    ["import x from './x.js'\nconsole.log(x)", "import x from './x.js'\nimport { Activity } from"],
    ["import { Activity as Act } from '../generated/index.js'\n", "Act.register('a'"],
    ["import type { Activity } from '../generated/index.js'\n", 'Activity as generatedActivity'],
  ])('into %j, which loses nothing', async (text, want) => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'activities/a.ts': text })
    const { code, err } = await callsheet(folder, ['scaffold', '--merge', '--yes'])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('+++ b/activities/a.ts') })
    const after = readFileSync(join(folder, 'activities/a.ts'), 'utf8')
    expect(after).toContain(want)
    expect(after).toMatch(/register\('a'/)
    let from = 0
    for (const line of text.split('\n')) {
      expect(after.indexOf(line, from)).toBeGreaterThanOrEqual(from)
      from = after.indexOf(line, from) + line.length
    }
    const again = await callsheet(folder, ['scaffold', '--merge', '--yes'])
    expect(again.out).toBe('')
  })

  test('without it a file that exists is only reported', async () => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'activities/A.ts': '// mine\n' })
    const { code, err, out } = await callsheet(folder, ['scaffold'])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain(
      'warning missing-registration: activities/A.ts is there, and registers no Activity a.',
    )
  })

  test('a file that does not parse is left alone', async () => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'activities/a.ts': 'const x = {' })
    const { code, err } = await callsheet(folder, ['scaffold', '--merge', '--yes'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('does not parse') })
    expect(readFileSync(join(folder, 'activities/a.ts'), 'utf8')).toBe('const x = {')
  })

  test('needs somebody to ask, or --yes', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    expect(await callsheet(folder, ['scaffold', '--merge'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Add --yes'),
    })
    expect(await callsheet(folder, ['scaffold', '--yes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Add --merge'),
    })
  })
})

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: [],
    lib: ['es2023', 'dom'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    paths: {
      'callsheet/*': [join(repository, 'runtime/*.ts')],
    },
  },
  include: ['activities'],
})

/** What the compiler says about the activities. */
function compile(folder: string): string[] {
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.startsWith('activities/'))
}
