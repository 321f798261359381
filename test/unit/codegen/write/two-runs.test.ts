import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { GeneratedFile } from '../../../../codegen/model.ts'
import { realFileSystem } from '../../../../codegen/write/file-system.ts'
import { planWrite } from '../../../../codegen/write/plan.ts'
import { writeFiles } from '../../../../codegen/write/write.ts'
import { source, withManifest } from './generated-files.ts'
import { contents, fill, temporaryFolder } from './temporary-folder.ts'

const writer = new URL('./writer-process.ts', import.meta.url).pathname
const deadProcess = 2 ** 22 + 1 // above the highest process number of Linux

function filesOf(version: number, count = 40): GeneratedFile[] {
  const numbered = Array.from({ length: count }, (_, index) =>
    source(`tools/t${index}.ts`, `export const v = ${version}`),
  )
  return withManifest(...numbered, source(`only-in-${version}.ts`, ''), {
    path: `only-in-${version}.json`,
    text: `${version}\n`,
  })
}

function textsOf(files: readonly GeneratedFile[]): Record<string, string> {
  return Object.fromEntries(files.map((file) => [file.path, file.text]))
}

const outputOf = (folder: string) => ({ absolute: join(folder, 'out'), shown: 'out' })

function holdLock(folder: string, holder: object): void {
  mkdirSync(join(folder, 'out/.callsheet-run'), { recursive: true })
  writeFileSync(join(folder, 'out/.callsheet-run/lock'), JSON.stringify(holder))
}

describe('two generators at once', () => {
  test('wait for each other and leave one of the two results, whole', async () => {
    const folder = temporaryFolder()
    const output = outputOf(folder)
    const versions = [1, 2, 3, 4].map((version) => filesOf(version))
    await Promise.all(versions.map((files) => writeFiles(files, output, realFileSystem)))
    const left = contents(output.absolute)
    expect(
      versions.filter((files) => JSON.stringify(textsOf(files)) === JSON.stringify(sorted(left, files))),
    ).toHaveLength(1)
    expect(Object.keys(left).filter((path) => path.startsWith('.'))).toEqual([])
  })

  test('a run that hangs is named after the wait, and what to do', async () => {
    const folder = temporaryFolder()
    holdLock(folder, { pid: process.pid, host: hostname(), run: 'other' })
    const waiting = writeFiles(filesOf(1), outputOf(folder), realFileSystem, { wait: 60, stale: 60_000 })
    await expect(waiting).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(new RegExp(`process ${process.pid} on .*delete out/.callsheet-run`)),
    })
  })

  test.each([
    { title: 'of a process that died', lock: { pid: deadProcess, host: hostname(), run: 'other' }, age: 0 },
    {
      title: 'of another machine, an hour old',
      lock: { pid: 1, host: 'elsewhere', run: 'other' },
      age: 3600,
    },
    { title: 'cut short, three seconds old', lock: {}, age: 3 },
  ])('a lock $title is broken', async ({ lock, age }) => {
    const folder = temporaryFolder()
    holdLock(folder, lock)
    const then = Date.now() / 1000 - age
    utimesSync(join(folder, 'out/.callsheet-run/lock'), then, then)
    await writeFiles(filesOf(1), outputOf(folder), realFileSystem, { wait: 60, stale: 60_000 })
    expect(contents(join(folder, 'out'))).toEqual(textsOf(filesOf(1)))
  })
})

describe('a run killed at any moment', () => {
  test('leaves whole files, a check that tells the truth, and a next run that heals', async () => {
    const folder = temporaryFolder()
    const output = outputOf(folder)
    const versions = [filesOf(1, 150), filesOf(2, 150)]
    const whole = new Set(versions.flat().map((file) => file.text))
    let interrupted = 0
    const delays = [0, 2, 5, 9, 14, 20, 30, 45]
    // On a busy machine a process may not have come to writing by then: later kills find one that has.
    for (let kill = 0; kill < delays.length || (interrupted === 0 && kill < 60); kill++) {
      await killedAfter(delays[kill] ?? kill * 10, output.absolute)
      const left = Object.entries(contents(folder)).filter(
        ([path]) => !path.includes('.callsheet-run') && !path.endsWith('/'),
      )
      for (const [path, text] of left) expect(whole.has(text), `${path} is whole`).toBe(true)

      const texts = Object.fromEntries(left.map(([path, text]) => [path.replace(/^out\//, ''), text]))
      const [target = []] = versions
      const isFresh = planWrite(target, output, realFileSystem).changes.length === 0
      expect(isFresh).toBe(JSON.stringify(sorted(texts, target)) === JSON.stringify(textsOf(target)))
      if (existsSync(join(output.absolute, '.callsheet-run'))) interrupted += 1
      await writeFiles(target, output, realFileSystem)
      expect(contents(output.absolute)).toEqual(textsOf(target))
    }
    expect(interrupted, 'some of the kills hit a run that was writing').toBeGreaterThan(0)
  })

  test('files that it had written and nobody listed yet are removed when no longer needed', async () => {
    const folder = temporaryFolder()
    fill(folder, {
      'out/.callsheet-run/journal.json': JSON.stringify({ files: ['new.json', 'new.ts'] }),
      'out/.callsheet-run/new-x/a.ts': 'half',
      'out/new.json': '{"half": true}',
      'out/new.ts': source('new.ts', '').text,
      'out/mine.json': '{}',
    })
    await writeFiles(filesOf(1), outputOf(folder), realFileSystem)
    expect(contents(join(folder, 'out'))).toEqual({ ...textsOf(filesOf(1)), 'mine.json': '{}' })
  })
})

/** The same entries in the order of `files`, and whatever else there is after them. */
function sorted(
  texts: Readonly<Record<string, string>>,
  files: readonly GeneratedFile[],
): Record<string, string> {
  const paths = files.map((file) => file.path).filter((path) => Object.hasOwn(texts, path))
  return Object.fromEntries([...paths, ...Object.keys(texts)].map((path) => [path, texts[path] ?? '']))
}

/** Starts a process that writes the two versions in turn, and kills it that long after it has begun. */
async function killedAfter(milliseconds: number, folder: string): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', writer, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((begun) => child.stdout.once('data', begun))
  await new Promise((passed) => setTimeout(passed, milliseconds))
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await ended
}
