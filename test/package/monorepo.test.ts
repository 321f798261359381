import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { compile, copyOfExample, install, installedIn } from './monorepo.ts'
import { run } from './packed.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

let folder = ''

beforeAll(() => {
  folder = copyOfExample()
  install(folder)
})

describe('examples/monorepo, from the packed package', () => {
  test('GEN-3 what is committed as generated is what the definitions give', () => {
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

  test('ACT-3a the agent runs its Calls where the worker is', () => {
    const ran = run(folder, 'npm', 'start', '--silent')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout.split('\n')).toEqual([
      '839 km to the N, 56 euros',
      'findPlace explicit succeeded { latitude: 48.8566, longitude: 2.3522 }',
      'findPlace explicit succeeded { latitude: 59.9139, longitude: 10.7522 }',
      "distance explicit succeeded { length: 834.8010120893979, heading: 'NNE' }",
      'announce latent succeeded Your parcel is on its way.',
      'bookCourier explicit failed Tool "bookCourier" cannot take this Call: /parcel/kilograms: expected a number <= 30, got 31.',
      '',
    ])
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
    for (const absent of ['typebox', 'geolib', '@delivery/worker', 'typescript', 'ajv']) {
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
    // What the agent itself brings to compile with; the contract needs none of it.
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
  test('GEN-9 bundles without a Node module, and runs where there is no Node and no eval', async () => {
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
