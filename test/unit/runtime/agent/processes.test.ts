import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
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
