import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { RunFolder } from '../../codegen/studio/runs/run-folder.ts'
import { studioServer } from '../../codegen/studio/server/studio-server.ts'
import { Agent, LoopError, type RunEvent } from '../../runtime/agent.ts'
import { scriptedModel } from '../../runtime/testing.ts'
import { benchOf } from '../unit/codegen/studio/runs/bench-of.ts'
import { add, pay, registryWithTools } from '../unit/runtime/agent/tools.ts'
import { fuzz } from './campaign.ts'
import { withChangedLeaf } from './changed-leaf.ts'
import { hostileJson } from './hostile-json.ts'

const { Tool } = registryWithTools()
const bench = benchOf(Tool)
const ending = new AbortController()
let folder: string
/** Lines of runs that ended, failed and wait, and what was thrown or given, as JSON. */
const logs: string[][] = []
const results: unknown[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'runs-'))
  const calls = [add(1, 2, { _outputPath: '†state.sum' }), add('†state.sum', 1), pay(3)]
  for (const ask of [undefined, () => 'pending' as const]) {
    const events: RunEvent[] = []
    const client = scriptedModel([{ calls, usage: { in: 10, out: 5 } }, { output: 'done' }])
    const given = await Agent({
      model: 'm',
      client,
      tools: Tool,
      output: { type: 'string' },
      log: (event) => events.push(event),
      ...(ask && { confirm: { effects: ['write'], ask } }),
    }).catch((error: unknown) => {
      if (!(error instanceof LoopError)) throw error
      return error.result.suspended
    })
    logs.push(events.map((event) => JSON.stringify(event)))
    results.push(JSON.parse(JSON.stringify(given)))
  }
})
afterAll(() => {
  ending.abort()
  rmSync(folder, { recursive: true, force: true })
})

const change = fc.record({
  kind: fc.constantFrom('drop', 'twice', 'swap', 'cut', 'set', 'set', 'set'),
  at: fc.nat(60),
  leaf: fc.nat(60),
  value: hostileJson,
})
type Change = typeof change extends fc.Arbitrary<infer Kind> ? Kind : never

function changed(lines: readonly string[], changes: readonly Change[]): string[] {
  const copy = [...lines]
  for (const { kind, at: any, leaf, value } of changes) {
    const at = any % Math.max(1, copy.length)
    const line = copy[at] ?? ''
    if (kind === 'drop') copy.splice(at, 1)
    else if (kind === 'twice') copy.splice(at, 0, line)
    else if (kind === 'swap') copy.splice(at, 2, copy[at + 1] ?? '', line)
    else copy[at] = kind === 'cut' ? line.slice(0, leaf * 7) : withChangedLeaf(line, leaf, { value })
  }
  return copy
}

fuzz(
  'VIEW-2 whatever a file of a run says: it is shown, or refused for what it says',
  60,
  fc.record({
    which: fc.nat(1),
    isResult: fc.boolean(),
    changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    step: fc.nat(6),
  }),
  async ({ which, isResult, changes, step }) => {
    const name = isResult ? 'run.json' : 'run.jsonl'
    const lines = isResult ? [JSON.stringify(results[which])] : (logs[which] as string[])
    const own = mkdtempSync(join(folder, 'one-'))
    writeFileSync(join(own, name), changed(lines, changes).join('\n').concat('\n'))
    const faults: unknown[] = []
    const ask = studioServer({
      bench,
      token: 'secret',
      runs: new RunFolder(own),
      signal: ending.signal,
      onError: (error) => faults.push(error),
    })
    for (const [method, path] of [
      ['GET', 'runs'],
      ['POST', `runs/${name}/view`],
      ['GET', `runs/${name}/steps/${step}`],
      ['GET', `runs/${name}/context/${step}`],
      ['GET', `runs/${name}/diff/${name}`],
      ['GET', `runs/${name}/test`],
      ['POST', `runs/${name}/replay`],
    ] as const) {
      const response = await ask(
        new Request(`http://localhost/api/${path}`, {
          method,
          headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
          ...(method === 'POST' && { body: '{}' }),
        }),
      )
      const text = await response.text()
      if (faults.length > 0) throw faults[0]
      expect([200, 400, 404], `${path}: ${text.slice(0, 300)}`).toContain(response.status)
      expect(text, path).not.toMatch(/"internal"|Cannot read|is not a function|is not iterable/)
    }
  },
)

fuzz(
  'VIEW-2 a file that grows, or is written anew, while several look at it is what it says in the end',
  30,
  fc.record({
    pieces: fc.array(fc.nat(700), { maxLength: 8 }),
    looks: fc.integer({ min: 1, max: 4 }),
    isAnew: fc.boolean(),
  }),
  async ({ pieces, looks, isAnew }) => {
    const own = mkdtempSync(join(folder, 'two-'))
    const file = join(own, 'run.jsonl')
    const watched = new RunFolder(own)
    const look = () => Promise.all(Array.from({ length: looks }, () => watched.list()))
    const text = logs[0]?.join('\n').concat('\n') ?? ''
    if (isAnew) {
      writeFileSync(file, logs[1]?.slice(0, 3).join('\n').concat('\n') ?? '')
      await look()
    }
    const bytes = Buffer.from(text)
    writeFileSync(file, '')
    let at = isAnew ? Math.floor(bytes.length / 2) : 0
    writeFileSync(file, bytes.subarray(0, at))
    for (const size of pieces) {
      await look()
      appendFileSync(file, bytes.subarray(at, at + size))
      at += size
    }
    appendFileSync(file, bytes.subarray(at))
    await look()
    const [[seen], [fresh]] = [await watched.list(), await new RunFolder(own).list()]
    expect(seen).toEqual(fresh)
    const messages = watched.record('run.jsonl')?.steps.at(-1)?.recording.messages
    expect(messages).toHaveLength(new Set(messages).size)
    expect(watched.record('run.jsonl')?.steps.length).toBe((seen?.requests ?? 0) + (seen?.calls ?? 0))
  },
)
