import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ModelRequest, type ScriptedAnswer, scriptedModel } from 'callsheet/testing'
import { describe, expect, test, vi } from 'vitest'
import { runAgentSample } from '../../../../examples/agent/run.ts'
import { calls } from '../../../../generated/index.ts'

// Above the guard of the programs that are run.
vi.setConfig({ testTimeout: 70_000 })

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const tsx = createRequire(import.meta.url).resolve('tsx/cli')

/** Runs a program to its own end. */
async function run(program: string, environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ...environment }
  const child = execFile(process.execPath, [tsx, program], { cwd: root, env, timeout: 60_000 })
  let [text, errors] = ['', '']
  child.stdout?.on('data', (piece) => {
    text += piece
  })
  child.stderr?.on('data', (piece) => {
    errors += piece
  })
  const [code] = await once(child, 'close')
  return { code, text, errors }
}

describe('a process that has used a model', () => {
  test('has no open handle left: it ends by itself, though servers stalled and dropped', async () => {
    // The guard of `run` is far below the minutes of the timers that it sets, and ends it with another code.
    const { code, text, errors } = await run('test/unit/runtime/agent/stalling-program.ts')
    expect(errors).toBe('')
    expect({ code, text }).toEqual({ code: 0, text: 'done, and holds on to nothing\n' })
  })
})

describe('the agent of the README', () => {
  test('runs offline, on the script', async () => {
    const turns: number[] = []
    const result = await runAgentSample({ model: 'the script', isLive: false }, ({ turn }) =>
      turns.push(turn),
    )
    expect(turns).toEqual([1, 2, 3, 4])
    expect(result.output).toMatch(/Sognefjord/)
    const run = result.outcomes.map(({ tool, mode, status }) => `${tool} ${mode} ${status}`)
    expect(run).toEqual([
      'searchText explicit succeeded',
      'PhraseEmphasis.bold explicit succeeded',
      'fileStats explicit failed',
      'fileStats explicit succeeded',
      'sentiment latent succeeded',
      'appendNote explicit succeeded',
    ])
  })

  test('the same program runs on any server with the API, and keeps a model inside the sample', async () => {
    const turn = ({ body }: ModelRequest): ScriptedAnswer =>
      JSON.stringify(body).includes('it leads out of the sample')
        ? { output: 'over' }
        : { calls: [calls.fileStats({ file: '/etc/hosts' })] }
    const model = scriptedModel(Array(9).fill(turn))
    const server = await model.listen({ faults: [{ at: 'mid-call', kind: 'drop' }] })
    const { code, text, errors } = await run('examples/agent/main.ts', {
      OPENAI_BASE_URL: server.baseURL,
      OPENAI_MODEL: 'mine',
    })
    await server.close()
    expect(errors).toBe('')
    expect(code).toBe(0)
    expect(text).toMatch(/An agent on mine\n/)
    expect(text).toMatch(/✗ fileStats .*\n.*refused.*it leads out of the sample/)
    expect(text).toMatch(/Output {2}over/)
    expect(model.requests.map(({ body }) => body.model)).toEqual(['mine', 'mine', 'mine'])
  })
})

describe('approvals that wait, in two processes', () => {
  test('REQ-9 the payment is made once, by the second', () => {
    const folder = mkdtempSync(join(tmpdir(), 'callsheet-approvals-'))
    const ledger = join(folder, 'ledger.txt')
    const file = join(folder, 'run.json')
    const run = (what: string): string =>
      execFileSync(process.execPath, [tsx, 'examples/approvals/main.ts', what, file, ledger], {
        cwd: root,
        encoding: 'utf8',
      })
    try {
      expect(run('ask')).toMatch(/Waits for approval.*pay/s)
      expect(existsSync(ledger)).toBe(false)
      const forged = readFileSync(file, 'utf8').replace('"amount": 300', '"amount": 999')
      const suspended = readFileSync(file, 'utf8')
      writeFileSync(file, forged)
      expect(run('approve')).toMatch(/The rent is not paid/)
      expect(existsSync(ledger)).toBe(false)
      writeFileSync(file, suspended)
      expect(run('approve')).toMatch(/The rent is paid/)
      expect(run('approve')).toMatch(/The rent is paid/)
      expect(readFileSync(ledger, 'utf8')).toMatch(/^\S+:1\.1 rent 300\n$/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
