import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished } from 'vitest'
import { check } from '../../codegen/generate.ts'
import { type Round, watch } from '../../codegen/watch/watch.ts'
import { definition, project } from '../unit/codegen/cli/in-terminal.ts'
import { contents } from '../unit/codegen/write/temporary-folder.ts'
import { fuzz } from './campaign.ts'
import { hostileText } from './hostile-json.ts'

/** What a file may hold at one moment: whole, cut off in the middle, of another kind, or gone. */
const content = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('query', 'other', 'third').map((parameter) => definition('a', parameter)),
  },
  { weight: 3, arbitrary: fc.nat({ max: 200 }).map((length) => definition('a').slice(0, length)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(undefined, '', '\0', 'while (', "throw new Error('no')", 'import "./gone.ts"'),
  },
  { weight: 1, arbitrary: hostileText },
)

fuzz(
  'GEN-3, GEN-4 a watched file may hold anything: watching goes on, and the output is whole throughout',
  4,
  fc.array(content, { minLength: 1, maxLength: 4 }),
  async (moments) => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'definitions/b.ts': definition('b') })
    const { rounds, controller, ended } = watching(folder)
    await rounds.until((round) => 'report' in round && round.report.ok)

    const file = join(folder, 'definitions/a.ts')
    for (const moment of moments) {
      if (moment === undefined) rmSync(file, { force: true })
      else writeFileSync(file, moment)
      isWhole(folder)
      // Editors save in bursts: the next moment may come before this one has been read.
      await new Promise((passed) => setTimeout(passed, 10))
    }
    writeFileSync(file, definition('a', `last${moments.length}`))
    await rounds.until(
      () => contents(folder)['generated/tools/a.ts']?.includes(`last${moments.length}`) ?? false,
    )
    controller.abort()
    await ended
    isWhole(folder)
    expect(await check({ cwd: folder, cache: false })).toMatchObject({ ok: true, changes: [] })
  },
)

/** Begins to watch a folder, until the controller aborts. */
function watching(folder: string) {
  const rounds = new Rounds()
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const ended = watch({
    cwd: folder,
    signal: controller.signal,
    debounce: 5,
    onRound: (round) => rounds.add(round),
  })
  return { rounds, controller, ended }
}

const names = ['a', 'b', 'c'] as const
/** What somebody does to a project with three definition files, which import a shared one. */
const step = fc.record({
  of: fc.constantFrom(...names),
  what: fc.constantFrom('save', 'cut', 'move', 'remove', 'save shared', 'move shared', 'move definitions'),
  /** Milliseconds until the next step. */
  pause: fc.constantFrom(0, 0, 0, 20, 100),
})

fuzz(
  'GEN-3 saves, moves and removals in any order: in the end the output is what a fresh run gives, without a further save',
  6,
  fc.array(step, { minLength: 1, maxLength: 8 }),
  async (steps) => {
    const source = (name: string, parameter: string): string =>
      `import '../../shared/note.ts'\n${definition(name, parameter)}`
    const folder = project({
      'shared/note.ts': '',
      ...Object.fromEntries(names.map((name) => [`definitions/0/${name}.ts`, source(name, 'query')])),
    })
    const { rounds, controller, ended } = watching(folder)
    await rounds.until(() => true)

    const places = new Map<string, string>(names.map((name) => [name, `0/${name}`]))
    const broken = new Set<string>()
    const away = new Set<string>()
    const pathOf = (name: string): string => join(folder, 'definitions', `${places.get(name)}.ts`)
    const save = (name: string, text: string): void => writeFileSync(pathOf(name), text)
    const swap = (name: string): void => {
      const [from, to] = [join(folder, name), join(folder, 'node_modules', name)]
      if (away.delete(name)) renameSync(to, from)
      else {
        away.add(name)
        renameSync(from, to)
      }
    }
    const ofFiles: Record<string, (name: string, at: number) => void> = {
      save: (name, at) => {
        save(name, source(name, `at${at}`))
        broken.delete(name)
      },
      cut: (name) => {
        save(name, source(name, 'cut').slice(0, 90))
        broken.add(name)
      },
      remove: (name) => {
        rmSync(pathOf(name), { force: true })
        broken.add(name)
      },
      move: (name, at) => {
        const before = pathOf(name)
        if (!existsSync(before)) return
        places.set(name, `${at}/${name}`)
        mkdirSync(dirname(pathOf(name)), { recursive: true })
        renameSync(before, pathOf(name))
      },
    }
    for (const [index, { of, what, pause }] of steps.entries()) {
      const at = index + 1
      if (what === 'move shared' || what === 'move definitions') swap(what.slice('move '.length))
      else if (what === 'save shared') {
        if (!away.has('shared')) writeFileSync(join(folder, 'shared/note.ts'), `export const at = ${at}\n`)
      } else if (!away.has('definitions')) ofFiles[what]?.(of, at)
      if (pause > 0) await new Promise((passed) => setTimeout(passed, pause))
    }
    for (const name of away) swap(name)
    for (const name of broken) save(name, source(name, 'mended'))
    while (!(await check({ cwd: folder })).ok) await rounds.until(() => true)
    controller.abort()
    await ended
  },
)

/** Every file that the manifest lists is there. */
function isWhole(folder: string): void {
  const files = contents(folder)
  const manifest = files['generated/manifest.json']
  if (manifest === undefined) return
  const { files: listed } = JSON.parse(manifest) as { files: readonly string[] }
  expect(listed.filter((path) => files[`generated/${path}`] === undefined)).toEqual([])
}

/** The rounds that have come, and those that will. */
class Rounds {
  readonly #done: Round[] = []
  #wake: () => void = () => {}

  add(round: Round): void {
    this.#done.push(round)
    this.#wake()
  }

  async until(isReached: (round: Round) => boolean): Promise<void> {
    for (;;) {
      const round = this.#done.shift()
      if (round === undefined) await new Promise<void>((awake) => (this.#wake = awake))
      else if (isReached(round)) return
    }
  }
}
