import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { generate } from '../../../../codegen/generate.ts'
import { type Round, watch } from '../../../../codegen/watch/watch.ts'
import { definition, project } from '../cli/in-terminal.ts'
import { contents, fill } from '../write/temporary-folder.ts'

/** Rounds of watching, to be awaited one by one. */
class Rounds {
  readonly #done: Round[] = []
  #wake: () => void = () => {}

  add(round: Round): void {
    this.#done.push(round)
    this.#wake()
  }

  /** The next round; waits for it. */
  async next(): Promise<Round> {
    for (;;) {
      const round = this.#done.shift()
      if (round) return round
      await new Promise<void>((awake) => {
        this.#wake = awake
      })
    }
  }

  /** How many rounds have come that nobody asked for, after a while in which one would have come. */
  async unasked(): Promise<number> {
    await new Promise((passed) => setTimeout(passed, 300))
    return this.#done.length
  }
}

function watching(folder: string): Rounds {
  const rounds = new Rounds()
  const controller = new AbortController()
  const ended = watch({
    cwd: folder,
    signal: controller.signal,
    debounce: 20,
    onRound: (round) => rounds.add(round),
  })
  onTestFinished(async () => {
    controller.abort()
    await ended
  })
  return rounds
}

function paths(round: Round): string[] {
  if ('error' in round) throw round.error
  return round.report.changes.map((change) => change.path)
}

const imported = definition('a')
  .replace("'Made for a test.'", 'note')
  .replace('\n', "\nimport { note } from '../shared/note.ts'\n")

const tool = (name: string, description: string): string =>
  JSON.stringify({ type: 'object', description, properties: { _tool: { const: name } }, required: ['_tool'] })

describe('GEN-3: --watch', () => {
  test('generates at once, again on a change, and never because of its own output', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const rounds = watching(folder)
    expect(paths(await rounds.next())).toContain('generated/tools/a.ts')
    expect(await rounds.unasked()).toBe(0)

    fill(folder, { 'definitions/a.ts': definition('a', 'other') })
    expect(paths(await rounds.next())).toContain('generated/tools/a.ts')
    expect(await rounds.unasked()).toBe(0)
  })

  test('writes the output folder again when it was deleted', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const rounds = watching(folder)
    expect(paths(await rounds.next())).toContain('generated/tools/a.ts')
    rmSync(join(folder, 'generated'), { recursive: true })
    expect(paths(await rounds.next())).toContain('generated/tools/a.ts')
    expect(await rounds.unasked()).toBe(0)
  })

  test('sees a change of the file that a definition is a symbolic link to', async () => {
    const folder = project({ 'shared/a.json': tool('a', 'old') })
    mkdirSync(join(folder, 'definitions'))
    symlinkSync(join(folder, 'shared/a.json'), join(folder, 'definitions/a.json'))
    const rounds = watching(folder)
    await rounds.next()
    fill(folder, { 'shared/a.json': tool('a', 'new') })
    expect(paths(await rounds.next())).toContain('generated/schemas.ts')
  })

  test('ACT-3b sees that git ignores a file with registrations from now on', async () => {
    const registers = "import { Activity } from './generated/index.js'\nActivity.register('a', () => 'x')\n"
    const folder = project({ 'definitions/a.ts': definition('a'), 'work.ts': registers })
    const rounds = watching(folder)
    await rounds.next()
    fill(folder, { '.gitignore': 'work.ts\n' })
    expect(paths(await rounds.next())).toContain('generated/registry.ts')
  })

  const registering: { title: string; files: Record<string, string>; change: Record<string, string> }[] = [
    {
      title: 'under a name that has neither word',
      files: {
        'own.ts': "import { Activity } from './generated/index.js'\nexport const put = Activity.register\n",
        'work.ts': "import { put } from './own.js'\nput('b', () => 'x')\n",
      },
      change: { 'work.ts': "import { put } from './own.js'\nput('a', () => 'x')\n" },
    },
    {
      title: 'through a default export',
      files: {
        'own.ts': "import { Activity } from './generated/index.js'\nexport default Activity.register\n",
        'work.ts': "import put from './own.js'\nput('b', () => 'x')\n",
      },
      change: { 'work.ts': "import put from './own.js'\nput('a', () => 'x')\n" },
    },
    {
      title: 'through a file that passes another Activity on from now on',
      files: {
        'own.ts': "export { Activity as labour } from './generated/index.js'\n",
        'made.ts':
          "import { createRegistry } from 'callsheet'\nexport const { Activity: labour } = createRegistry()\n",
        'pass.ts': "export { labour } from './made.js'\n",
        'work.ts': "import { labour } from './pass.js'\nlabour.register('a', () => 'x')\n",
      },
      change: { 'pass.ts': "export { labour } from './own.js'\n" },
    },
    {
      title: 'through a file that is not searched',
      files: {
        'tests/own.ts':
          "import { createRegistry } from 'callsheet'\nexport const { Activity } = createRegistry()\n",
        'work.ts': "import { Activity } from './tests/own.js'\nActivity.register('a', () => 'x')\n",
      },
      change: { 'tests/own.ts': "export { Activity } from '../generated/index.js'\n" },
    },
  ]
  test.each(registering)('ACT-3b sees a registration $title', async ({ files, change }) => {
    const folder = project({ 'definitions/a.ts': definition('a'), ...files })
    const rounds = watching(folder)
    await rounds.next()
    fill(folder, change)
    expect(paths(await rounds.next())).toContain('generated/registry.ts')
    expect(await rounds.unasked()).toBe(0)
  })

  const changes: { title: string; change: (folder: string) => void; want: string }[] = [
    {
      title: 'a new definition',
      change: (folder) => fill(folder, { 'definitions/b.ts': definition('b') }),
      want: 'generated/tools/b.ts',
    },
    {
      title: 'a definition in a new folder',
      change: (folder) => fill(folder, { 'definitions/x/b.ts': definition('b') }),
      want: 'generated/tools/b.ts',
    },
    {
      title: 'a file that a definition imports',
      change: (folder) => fill(folder, { 'shared/note.ts': "export const note = 'new'\n" }),
      want: 'generated/schemas.ts',
    },
    {
      title: 'a definition replaced by a move, as editors save',
      change: (folder) => {
        fill(folder, { 'definitions/.a.ts.swp': definition('a', 'other') })
        renameSync(join(folder, 'definitions/.a.ts.swp'), join(folder, 'definitions/a.ts'))
      },
      want: 'generated/tools/a.ts',
    },
    {
      title: 'a new configuration',
      change: (folder) => fill(folder, { 'callsheet.config.json': '{"output":"elsewhere"}' }),
      want: 'elsewhere/tools/a.ts',
    },
  ]
  test.each(changes)('sees $title', async ({ change, want }) => {
    const folder = project({ 'definitions/a.ts': imported, 'shared/note.ts': "export const note = 'old'\n" })
    const rounds = watching(folder)
    await rounds.next()
    change(folder)
    expect(paths(await rounds.next())).toContain(want)
  })

  test('sees what the tsconfig.json of a folder between makes of an import', async () => {
    const aliased = (to: string) =>
      JSON.stringify({ compilerOptions: { paths: { '#note': [`./${to}.ts`] } } })
    const folder = project({
      'callsheet.config.json': '{"definitions":"src/definitions"}',
      'src/definitions/a.ts': imported.replace('../shared/note.ts', '#note'),
      'src/one.ts': "export const note = 'one'\n",
      'src/two.ts': "export const note = 'two'\n",
      'src/tsconfig.json': aliased('one'),
    })
    const rounds = watching(folder)
    await rounds.next()
    fill(folder, { 'src/tsconfig.json': aliased('two') })
    expect(paths(await rounds.next())).toContain('generated/schemas.ts')
  })

  test('survives a broken definition, reports it, leaves the output, and goes on when it is mended', async () => {
    const folder = project({ 'definitions/a.ts': imported, 'shared/note.ts': "export const note = 'old'\n" })
    const rounds = watching(folder)
    await rounds.next()
    const before = contents(join(folder, 'generated'))
    fill(folder, { 'shared/note.ts': 'export const note = {' })
    expect(await rounds.next()).toMatchObject({ report: { ok: false } })
    expect(contents(join(folder, 'generated'))).toEqual(before)
    fill(folder, { 'shared/note.ts': "export const note = 'mended'\n" })
    expect(await rounds.next()).toMatchObject({ report: { ok: true } })
  })

  test('sees a module that a definition imports before it is there', async () => {
    const folder = project({ 'definitions/a.ts': imported, 'shared/other.ts': '' })
    const rounds = watching(folder)
    expect(await rounds.next()).toMatchObject({ report: { ok: false } })
    fill(folder, { 'shared/note.ts': "export const note = 'new'\n" })
    expect(paths(await rounds.next())).toContain('generated/schemas.ts')
  })

  test.each(['shared', '.hidden/deep'])('sees %s moved away, and there again', async (place) => {
    const note = (text: string) => ({ [`${place}/note.ts`]: `export const note = '${text}'\n` })
    const folder = project({ 'definitions/a.ts': imported.replace('shared', place), ...note('old') })
    const rounds = watching(folder)
    await rounds.next()
    const [top = ''] = place.split('/')
    renameSync(join(folder, top), join(folder, 'node_modules/away'))
    expect(await rounds.next()).toMatchObject({ report: { ok: false } })
    mkdirSync(join(folder, top))
    expect(await rounds.unasked()).toBe(0)
    fill(folder, note('new'))
    expect(paths(await rounds.next())).toContain('generated/schemas.ts')
  })

  test('survives a broken configuration, and takes it when it is mended', async () => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'callsheet.config.json': '{' })
    const rounds = watching(folder)
    expect(await rounds.next()).toMatchObject({ error: { code: 'invalid_config' } })
    fill(folder, { 'callsheet.config.json': '{"output":"out"}' })
    expect(paths(await rounds.next())).toContain('out/tools/a.ts')
  })

  test('waits for a definitions folder that is not there, and for one that is made again', async () => {
    const folder = project({})
    const rounds = watching(folder)
    expect(await rounds.next()).toMatchObject({ report: { ok: false } })
    mkdirSync(join(folder, 'definitions'))
    fill(folder, { 'definitions/a.ts': definition('a') })
    let round = await rounds.next()
    while ('report' in round && !round.report.ok) round = await rounds.next()
    expect(paths(round)).toContain('generated/tools/a.ts')

    rmSync(join(folder, 'definitions'), { recursive: true })
    await rounds.next()
    fill(folder, { 'definitions/b.ts': definition('b') })
    round = await rounds.next()
    while ('report' in round && !round.report.ok) round = await rounds.next()
    expect(paths(round)).toContain('generated/tools/b.ts')
  })

  const moments: { title: string; spoil: (folder: string) => void }[] = [
    {
      title: 'a file in the place of a folder with definitions',
      spoil: (folder) => {
        rmSync(join(folder, 'definitions/kit'), { recursive: true })
        writeFileSync(join(folder, 'definitions/kit'), '')
      },
    },
    {
      title: 'a folder of definitions that is made again at once, as by a checkout of another branch',
      spoil: (folder) => {
        rmSync(join(folder, 'definitions'), { recursive: true })
        fill(folder, { 'definitions/a.ts': definition('a') })
      },
    },
    {
      title: 'a source that is a link to itself',
      spoil: (folder) => symlinkSync('c.ts', join(folder, 'c.ts')),
    },
  ]
  test.each(moments)('goes on after $title', async ({ spoil }) => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'definitions/kit/b.ts': definition('b') })
    const rounds = watching(folder)
    await rounds.next()
    spoil(folder)
    await rounds.unasked()
    fill(folder, { 'definitions/a.ts': definition('a', 'other') })
    let round = await rounds.next()
    while (!contents(folder)['generated/tools/a.ts']?.includes('other')) round = await rounds.next()
    expect(round).toMatchObject({ report: { ok: true } })
  })

  test('takes many changes at once as one', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const rounds = watching(folder)
    await rounds.next()
    for (let index = 0; index < 20; index += 1)
      fill(folder, { [`definitions/t${index}.ts`]: definition(`t${index}`) })
    let tools = 0
    let count = 0
    while (tools < 21) {
      const round = await rounds.next()
      count += 1
      if ('report' in round) tools = round.report.tools
    }
    expect(count).toBeLessThanOrEqual(3)
  })

  test('takes an event about what did not change, late or twice or for a mere read, for no change', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const rounds = new Rounds()
    const controller = new AbortController()
    const told = new Set<(path: string) => void>()
    const watchFolder = (_folder: string, onChange: (path: string) => void) => {
      told.add(onChange)
      return () => told.delete(onChange)
    }
    const options = { cwd: folder, signal: controller.signal, debounce: 1 }
    const ended = watch({ ...options, onRound: (round) => rounds.add(round) }, { generate, watchFolder })
    const tell = (path: string) => {
      for (const onChange of told) onChange(join(folder, path))
    }
    await rounds.next()
    for (const path of ['definitions/a.ts', 'definitions', '', 'definitions/gone.ts']) tell(path)
    expect(await rounds.unasked()).toBe(0)

    fill(folder, { 'definitions/a.ts': definition('a', 'other') })
    tell('definitions/a.ts')
    expect(paths(await rounds.next())).toContain('generated/tools/a.ts')
    controller.abort()
    await ended
  })

  test('ends when its signal is aborted, also while nothing happens', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const controller = new AbortController()
    const ended = watch({
      cwd: folder,
      signal: controller.signal,
      onRound: () => setTimeout(() => controller.abort(), 50),
    })
    await ended
  })
})
