import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ExecutorFactory, inProcessExecutor } from 'callsheet/agent'
import { recordRun, shuffledReplay } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { doneIn } from './executor-tools.ts'
import { type ExecutorCase, type ExecutorHost, executorCases } from './executors.ts'

const cases = Object.entries(executorCases)

describe('DUR-5 the executor of this process', () => {
  test.each(cases)('%s', async (_, given) => {
    const { result, started } = await carryOut(given, inProcessExecutor)
    expect(result).toEqual(given.want)
    expect(started).toEqual(given.starts)
  })
})

describe('DUR-5 a replay of it in shuffled order', () => {
  test.each(cases)('%s', async (_, given) => {
    const recorder = recordRun(inProcessExecutor)
    const first = await carryOut(given, recorder.executor)
    for (const seed of [1, 2, 3, 4]) {
      const again = await carryOut(given, shuffledReplay(recorder.recording, { seed }), first.host)
      expect(again.result).toEqual(given.want)
      // Nothing ran again.
      expect(again.started).toEqual(given.starts)
    }
  })
})

async function carryOut(given: ExecutorCase, executor: ExecutorFactory, earlier?: ExecutorHost) {
  const controller = new AbortController()
  const host: ExecutorHost = {
    runId: earlier?.runId ?? randomUUID(),
    file: earlier?.file ?? join(mkdtempSync(join(tmpdir(), 'callsheet-executor-')), 'done.jsonl'),
    executor,
    run: { retry: { attempts: 3 } },
    signal: controller.signal,
  }
  const running = given.run(host)
  if (given.cancelAfter !== undefined) {
    while (startsIn(host.file) < given.cancelAfter) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort(new Error('cancelled'))
  }
  const result: unknown = JSON.parse(JSON.stringify(await running))
  return { host, result, started: startsByTool(host.file) }
}

function startsIn(file: string): number {
  return doneIn(file).filter(({ event }) => event === 'start').length
}

function startsByTool(file: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { event, tool } of doneIn(file)) if (event === 'start') counts[tool] = (counts[tool] ?? 0) + 1
  return counts
}
