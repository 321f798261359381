import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { node24 } from './node-24.ts'

const script = join(import.meta.dirname, 'sqlite-server.mjs')
const folder = mkdtempSync(join(tmpdir(), 'callsheet-sqlite-'))
let count = 0
const running: ChildProcess[] = []
afterEach(() => {
  for (const server of running.splice(0)) server.kill('SIGKILL')
})

/** Returns paths for one test. */
function places() {
  count += 1
  return { database: join(folder, `${count}.db`), deeds: join(folder, `${count}.txt`) }
}

async function start({ database, deeds }: ReturnType<typeof places>) {
  const server = spawn(join(node24(), 'node'), [script, database, deeds], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(server)
  const [port] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  const ask = async (
    tool: string,
    id: string,
    time: number,
  ): Promise<{ status: string; error?: { code: string } }> => {
    const response = await fetch(`http://127.0.0.1:${port}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ call: { _tool: tool, time }, id }),
    })
    return (await response.json()) as { status: string }
  }
  return { server, ask }
}

const lines = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; !holds() && turn < 1_000; turn++) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('SERVE-5 an Outcome survives a restart', async () => {
  const at = places()
  const first = await start(at)
  const outcome = await first.ask('pay', 'order-1', 0)
  expect(outcome).toMatchObject({ id: 'order-1', status: 'succeeded' })
  first.server.kill('SIGKILL')
  const second = await start(at)
  expect(await second.ask('pay', 'order-1', 0)).toEqual(outcome)
  expect(lines(at.deeds)).toEqual(['pay'])
})

test('SERVE-5 two servers over one database run a Call once between them', async () => {
  const at = places()
  const [first, second] = await Promise.all([start(at), start(at)])
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).ask('pay', 'order-1', 100)),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(lines(at.deeds)).toEqual(['pay'])
})

test('SERVE-5 after a kill during a Call, a read runs again, and a write is interrupted and never runs twice', async () => {
  const at = places()
  const first = await start(at)
  const broken = ['pay', 'look'].map((tool) => first.ask(tool, `${tool}-1`, 1_500).catch(() => undefined))
  await until(() => lines(at.deeds).length === 2)
  first.server.kill('SIGKILL')
  await Promise.all(broken)
  const second = await start(at)
  // Another Call with the id is refused, and does not hide this Outcome, even after a lease.
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(await second.ask('pay', 'pay-1', 1)).toMatchObject({ code: 'idempotency_conflict' })
  const [paid, looked] = await Promise.all([
    second.ask('pay', 'pay-1', 1_500),
    second.ask('look', 'look-1', 1_500),
  ])
  expect(paid).toMatchObject({ status: 'failed', error: { code: 'interrupted' } })
  expect(looked.status).toBe('succeeded')
  expect(await second.ask('pay', 'pay-1', 1_500)).toEqual(paid)
  expect(lines(at.deeds).sort()).toEqual(['look', 'look', 'pay'])
})
