import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { deliveryLines } from './delivery-lines.ts'
import { compile, copyOfExample, install, installedIn } from './monorepo.ts'
import { run } from './packed.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

let folder = ''

beforeAll(() => {
  folder = copyOfExample()
  install(folder)
})

describe('examples/monorepo, from the packed package', () => {
  test('GEN-3 the committed generated code matches the definitions', () => {
    expect(run(join(folder, 'contracts'), 'npx', 'callsheet', 'generate', '--check')).toMatchObject({
      code: 0,
    })
  })

  test.each(['TypeScript 5.9', 'TypeScript 7'] as const)(
    'GEN-8 declarations of all packages build and are portable with %s',
    (compiler) => {
      // Neither TS2742 (a type without a portable name), nor TS7056 (too long to print), nor TS2589 (too deep).
      expect(compile(folder, 'all', compiler)).toEqual([])
    },
  )

  test('ACT-3a the agent runs its Calls at the worker', () => {
    const ran = run(folder, 'npm', 'start', '--silent')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout.split('\n')).toEqual(deliveryLines)
  })
})

/** Source of a worker in its own process. Its Activity measures until the Call is aborted. */
const slowWorker = `
  import { Tool, Activity, tools } from '@delivery/contracts'
  import { createRegistry } from 'callsheet'
  import { serveHttp } from 'callsheet/server'
  Activity.register('findPlace', () => ({ latitude: 1, longitude: 2 }))
  Activity.register('distance', async (_call, _tool, _context, run) => {
    run.emit({ step: 'measuring' })
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve))
    console.log('aborted')
    throw run.signal.reason
  })
  const next = { ...tools.findPlace, properties: { ...tools.findPlace.properties, region: { type: 'string' } } }
  const later = createRegistry({ tools: { findPlace: next } })
  later.Activity.register('findPlace', () => { console.log('ran'); return { latitude: 1, longitude: 2 } })
  for (const served of [Tool, later.Tool]) {
    const { url } = await serveHttp(served, { port: 0, limits: { callTime: 3_000 } })
    console.log(url)
  }
`

/** Source of an agent in another process: it follows a Call, aborts it, and then calls a worker of another contract. */
const impatientAgent = `
  import { Activity, calls, Tool } from '@delivery/contracts'
  import { remoteActivities } from 'callsheet/server'
  const [worker, later] = process.argv.slice(2)
  remoteActivities(worker, { Tool, Activity, names: ['distance', 'findPlace'] })
  const patience = new AbortController()
  Tool.on('activity:progress', ({ tool, data }) => {
    console.log(tool, data)
    patience.abort()
  })
  const here = { latitude: 1, longitude: 2 }
  const { status } = await Tool.run(calls.distance({ from: here, to: here }), { signal: patience.signal })
  console.log(status)
  console.log((await Tool.run(calls.findPlace({ name: 'Oslo' }))).status)
  // Simulates that a worker of the next contract was deployed instead.
  const replacing = { register: (name, activity) => Activity.register(name, activity, { replace: true }) }
  remoteActivities(later, { Tool, Activity: replacing, names: ['findPlace'] })
  const mismatch = await Tool.run(calls.findPlace({ name: 'Oslo' }))
  console.log(mismatch.error.code, mismatch.error.problems.map(({ path }) => path))
`

describe('contract, worker and agent in three processes', () => {
  test('SERVE-4 progress and aborts are forwarded, and nothing runs under another contract', async () => {
    writeFileSync(join(folder, 'worker/slow.mjs'), slowWorker)
    writeFileSync(join(folder, 'agent/impatient.mjs'), impatientAgent)
    const worker = spawn(process.execPath, ['slow.mjs'], { cwd: join(folder, 'worker') })
    try {
      const said: string[] = []
      const lines = createInterface({ input: worker.stdout })
      const listening = new Promise<void>((resolve) => {
        lines.on('line', (line) => {
          said.push(line)
          if (said.length === 2) resolve()
        })
      })
      await listening
      const ran = run(join(folder, 'agent'), process.execPath, 'impatient.mjs', ...said)
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout.split('\n')).toEqual([
        "distance { step: 'measuring' }",
        'aborted',
        'succeeded',
        "contract_mismatch [ '/findPlace' ]",
        '',
      ])
      // The worker's output arrives late. `ran` would mean that the Call ran under another contract.
      for (let turn = 0; said.length < 3 && turn < 100; turn++)
        await new Promise((resolve) => setTimeout(resolve, 20))
      expect(said.slice(2)).toEqual(['aborted'])
    } finally {
      worker.kill()
    }
  })
})

describe('a deployment of the agent alone', () => {
  let deployed = ''

  beforeAll(() => {
    deployed = copyOfExample(folder)
    install(deployed, '--workspace', '@delivery/agent', '--omit=dev')
  })

  test("GEN-9 has neither typebox nor the worker's dependencies", () => {
    const installed = installedIn(deployed)
    expect(installed).toEqual(expect.arrayContaining(['callsheet', '@delivery/agent', '@delivery/contracts']))
    for (const absent of [
      'typebox',
      'geolib',
      '@delivery/worker',
      'typescript',
      'ajv',
      '@restatedev/restate-sdk',
    ]) {
      expect(installed).not.toContain(absent)
    }
  })

  test('GEN-9 runs, with code from strings forbidden', async () => {
    const worker = spawn(process.execPath, [join(folder, 'worker/dist/main.js')])
    try {
      const [url] = await once(createInterface({ input: worker.stdout }), 'line')
      const main = join('agent', 'dist', 'main.js')
      const ran = run(deployed, process.execPath, '--disallow-code-generation-from-strings', main, url)
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toContain('839 km to the N, 56 euros\n')
    } finally {
      worker.kill()
    }
  })

  test('GEN-9 type-checks against the declarations of the contract, libraries included', () => {
    // Types that the agent's own compilation needs; the contract needs none of them.
    for (const name of ['@types/node', 'undici-types']) {
      cpSync(join(modules, name), join(deployed, 'node_modules', name), { recursive: true })
    }
    const args = ['--noEmit', '--skipLibCheck', 'false', '--composite', 'false', '--declarationMap', 'false']
    const compiler = join(modules, 'typescript/bin/tsc')
    const ran = run(join(deployed, 'agent'), process.execPath, compiler, '-p', '.', ...args)
    expect(ran).toMatchObject({ code: 0, stdout: '' })
  })
})

describe('the contract in a browser', () => {
  test('GEN-9 bundles without Node modules, and runs without Node and eval', async () => {
    const { outputFiles, metafile } = await build({
      stdin: {
        contents: `
          import { calls, Tool, tools } from '@delivery/contracts'
          globalThis.answer = Tool.run({ ...calls.announce({ booking: 'D-1', language: 'de' }), _output: 'Hallo' })
          globalThis.required = tools.distance.required`,
        resolveDir: join(folder, 'agent'),
      },
      bundle: true,
      platform: 'browser',
      format: 'iife',
      write: false,
      metafile: true,
    })
    const inputs = Object.keys(metafile.inputs)
    expect(inputs.filter((path) => /typebox|geolib|worker|contracts\/definitions|node:/.test(path))).toEqual(
      [],
    )
    const browser = { AbortController, AbortSignal, Event, EventTarget, crypto, setTimeout, clearTimeout }
    const page = createContext({ ...browser }, { codeGeneration: { strings: false, wasm: false } })
    runInContext(outputFiles[0]?.text ?? '', page)
    expect(await runInContext('answer', page)).toMatchObject({
      mode: 'latent',
      status: 'succeeded',
      output: 'Hallo',
    })
    expect([...runInContext('required', page)]).toEqual(['_tool', 'from', 'to'])
  })
})
