import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { contents } from '../write/temporary-folder.ts'
import { bundledCli } from './bundled-cli.ts'
import { definition, project } from './in-terminal.ts'

const isWindows = process.platform === 'win32'

let cli = ''
beforeAll(async () => {
  cli = await bundledCli('callsheet-test')
})

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

function start(folder: string, args: readonly string[]): ChildProcess & { ended: Promise<Ended> } {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<[number | null, NodeJS.Signals | null]>((done) => {
    child.once('exit', (code, signal) => done([code, signal]))
  })
  const ended = Promise.all([exit, text(child.stdout), text(child.stderr)]).then(
    ([[code, signal], out, err]) => {
      return { code, signal, out, err }
    },
  )
  return Object.assign(child, { ended })
}

describe('the process', () => {
  test('what it was given reaches no terminal as a command', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const { err } = await start(folder, ['pay\u001b]0;gone\u0007']).ended
    expect(err).toContain(String.raw`pay\u001b]0;gone\u0007`)
  })

  test('exits with the command’s code, streams apart', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const stale = await start(folder, ['generate', '--check']).ended
    expect(stale).toMatchObject({ code: 1, out: expect.stringContaining('missing generated/types.ts\n') })
    expect(stale.err).toContain('not as generated')
    expect(await start(folder, ['generate']).ended).toMatchObject({ code: 0, out: '' })
    expect(await start(folder, ['nonsense']).ended).toMatchObject({ code: 2, out: '' })
  })

  test.skipIf(isWindows)('a disk without room for the bundle is an error that says so', async () => {
    const filler = 'x'.repeat(100_000)
    const folder = project({ 'definitions/a.ts': `${definition('a')}export const filler = '${filler}'\n` })
    // No file may grow beyond 1 KB, which the system reports as it does a full disk.
    const child = spawn('sh', ['-c', 'ulimit -f 1 && exec "$0" "$@"', process.execPath, cli, 'generate'], {
      cwd: folder,
    })
    expect(await text(child.stderr)).toMatch(/The definitions cannot be run: no module can be written/)
    expect(Object.keys(contents(folder)).filter((path) => path.endsWith('.mjs'))).toEqual([])
  })

  // In a process of its own: the one of the tests reads TypeScript whoever imports it.
  test('TOOL-1 what a project imports of itself by name may be TypeScript', async () => {
    const folder = project({
      'package.json': '{ "name": "own-name", "type": "module", "exports": { "./note": "./src/note.ts" } }',
      'src/note.ts': "export const note: string = 'Made for a test.'\n",
      'definitions/a.ts': definition('a')
        .replace("'Made for a test.'", 'note')
        .replace('\n', "\nimport { note } from 'own-name/note'\n"),
    })
    expect(await start(folder, ['generate']).ended).toMatchObject({ code: 0 })
  })

  test('waits until a slow reader has all that it says', async () => {
    const names = Array.from({ length: 4_000 }, (_, at) => ({
      name: `no name ${at}`,
      inputSchema: { type: 'object' },
    }))
    const folder = project({ 'tools.json': JSON.stringify(names) })
    const child = spawn(process.execPath, [cli, 'import', 'tools.json'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // Before anything is read, the process has long come to its end, but for what the pipe does not take.
    await new Promise((done) => setTimeout(done, 2_000))
    const said = await text(child.stderr)
    expect(said.match(/error import-name/g)).toHaveLength(4_000)
    expect(said).toContain('4000 not imported')
  })

  test('what definitions log goes to standard error, and open handles keep nothing waiting', async () => {
    const noisy = `${definition('a')}\nconsole.log('from a definition')\nprocess.stdout.write('written by a definition')\nsetInterval(() => {}, 1000)\n`
    const folder = project({ 'definitions/a.ts': noisy })
    const { code, out, err } = await start(folder, ['generate', '--format', 'json']).ended
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ ok: true })
    expect(err).toContain('from a definition')
    expect(err).toContain('written by a definition')
  })

  test.each([
    'process.exit(0)',
    'Reflect.get(process, "reallyExit").call(process, 0)',
    'await new Promise(() => {})',
  ])('a definition with %s is no success', async (statement) => {
    const folder = project({ 'definitions/a.ts': `${definition('a')}\n${statement}\n` })
    const { code, out, err } = await start(folder, ['generate', '--format', 'json']).ended
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'cannot_read' } })
    expect(err).toMatch(
      /^error definitions\/a\.ts ended the process, or awaits something that never settles\.\n {2}fix: /,
    )
    expect(Object.keys(contents(folder)).some((path) => path.startsWith('generated/'))).toBe(false)
  })

  test.each([
    "Promise.reject(new Error('left behind'))",
    "setTimeout(() => { throw new Error('left behind') }, 0)",
  ])('a definition that leaves %s is told so, not that it ended the process', async (statement) => {
    const folder = project({
      'definitions/a.ts': `${definition('a')}\n${statement}\nawait new Promise((done) => setTimeout(done, 50))\n`,
    })
    const { code, out, err } = await start(folder, ['generate', '--format', 'json']).ended
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'cannot_read' } })
    expect(err).toBe(
      'error Work that a definition, the configuration or an Activity left running failed: Error: left behind\n' +
        '  fix: An Activity awaits what it starts, or catches what that throws; a definitions file only declares Tools.\n',
    )
  })

  // A shell lays the pipe.
  test.skipIf(isWindows)('a reader that closes the pipe early is no failure', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const child = spawn(
      'sh',
      ['-c', `"$0" "$1" generate --check --diff | head -c 1`, process.execPath, cli],
      { cwd: folder },
    )
    const [out, err] = await Promise.all([buffer(child.stdout), text(child.stderr)])
    expect(out.length).toBe(1)
    expect(err).not.toMatch(/EPIPE/)
  })

  // Only Linux has a device that is full.
  test.runIf(process.platform === 'linux')(
    'standard output that cannot be written is no success',
    async () => {
      const folder = project({ 'definitions/a.ts': definition('a') })
      const child = spawn('sh', ['-c', `"$0" "$1" explain a >/dev/full`, process.execPath, cli], {
        cwd: folder,
      })
      const exit = new Promise((done) => child.once('exit', done))
      const [code, err] = await Promise.all([exit, text(child.stderr)])
      expect(err).toMatch(/^error Standard output cannot be written: ENOSPC/m)
      expect(code).toBe(2)
    },
  )

  // On Windows a process can only be ended from without, not interrupted.
  test.skipIf(isWindows)('--watch ends with 0 on Ctrl-C', async () => {
    const folder = project({ 'definitions/a.ts': definition('a') })
    const child = start(folder, ['generate', '--watch'])
    await new Promise<void>((watching) => {
      child.stderr?.on('data', (part: Buffer) => {
        if (part.toString().includes('Watching')) watching()
      })
    })
    child.kill('SIGINT')
    expect(await child.ended).toMatchObject({ code: 0, signal: null })
  })

  test('several processes at once leave what one alone leaves', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`definitions/t${index}.ts`, definition(`t${index}`)]),
    )
    const folder = project(files)
    const ends = await Promise.all([1, 2, 3].map(() => start(folder, ['generate', '--no-cache']).ended))
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(await start(folder, ['generate', '--check', '--no-cache']).ended).toMatchObject({ code: 0 })
    expect(Object.keys(contents(folder)).filter((path) => path.includes('.callsheet-run'))).toEqual([])
  })

  test('help, version and a run that finds everything fresh load neither esbuild nor typebox', async () => {
    const folder = project({ 'definitions/a.ts': definition('a'), 'hooks/refuse.mjs': refusal })
    await new Promise((passed) => setTimeout(passed, 40))
    await start(folder, ['generate']).ended
    for (const args of [['--help'], ['--version'], ['generate', '--help'], ['generate']]) {
      const child = spawn(process.execPath, ['--import', join(folder, 'hooks/refuse.mjs'), cli, ...args], {
        cwd: folder,
      })
      const [code, err] = await Promise.all([
        new Promise((done) => child.once('exit', done)),
        text(child.stderr),
      ])
      expect({ args, code, loaded: err.match(/loaded: .*/)?.[0] }).toEqual({
        args,
        code: 0,
        loaded: undefined,
      })
    }
  })
})

/** Reports every package that is loaded. */
const refusal = `
import { register } from 'node:module'
const hooks = \`export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  if (/node_modules\\\\/(esbuild|typebox)/.test(found.url)) throw new Error('loaded: ' + specifier)
  return found
}\`
register('data:text/javascript,' + encodeURIComponent(hooks))
`
