import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
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

/** Runs code with two stores over one database, as two processes have them, and parses what it prints. */
function withTwoStores(code: string): unknown {
  const dist = join(import.meta.dirname, '../../dist/server.js')
  const text = `
    import { DatabaseSync } from 'node:sqlite'
    import { sqliteStore } from ${JSON.stringify(dist)}
    const open = () => new DatabaseSync(${JSON.stringify(places().database)})
    const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))
    const [one, two] = [open(), open()].map((database) => sqliteStore(database, { lease: 300 }))
    ${code}
    two.close()`
  const args = ['--input-type=module', '--eval', text]
  return JSON.parse(execFileSync(join(node24(), 'node'), args, { encoding: 'utf8' }))
}

test('SERVE-5 a process that slept does not give its Outcome to another Call, and replaces an unknown one alone', () => {
  const kept = withTwoStores(`
    const interrupted = { id: 'interrupted', error: { code: 'interrupted' } }
    const keys = ['reused', 'unknown', 'known', 'repeated']
    for (const key of keys) one.claim(key, 'first')
    one.close() // It says no more, as if it slept.
    while (two.claim('reused', 'first').status !== 'abandoned') await pause(20)
    two.release('reused')
    two.claim('reused', 'second')
    one.finish('reused', { id: 'of the first' })
    const between = two.claim('reused', 'second')
    two.finish('reused', { id: 'of the second' })
    // A process that could not run its timer for a while judges nobody.
    for (const key of keys.slice(1)) while (two.claim(key, 'first').status !== 'abandoned') await pause(20)
    two.finish('unknown', interrupted)
    one.finish('unknown', { id: 'as it was' })
    one.finish('known', { id: 'just in time' })
    two.finish('known', interrupted)
    two.finish('repeated', { id: 'told' })
    one.finish('repeated', { id: 'too late' })
    const all = [between, two.claim('reused', 'second'), ...keys.slice(1).map((key) => two.claim(key, 'first'))]
    console.log(JSON.stringify(all.map(({ status, outcome }) => outcome?.id ?? status)))`)
  expect(kept).toEqual(['running', 'of the second', 'as it was', 'just in time', 'told'])
})

test('SERVE-5 a Call whose row somebody deletes while it runs does not run again', () => {
  const kept = withTwoStores(`
    one.claim('paid', 'a Call')
    open().exec('DELETE FROM callsheet_outcomes')
    one.finish('paid', { id: 'once' })
    one.close()
    console.log(JSON.stringify([two.claim('paid', 'a Call'), two.claim('paid', 'another')]))`)
  const finished = { status: 'finished', fingerprint: 'a Call', outcome: { id: 'once' } }
  expect(kept).toEqual([finished, finished])
})

test('SERVE-5 a database that another process has locked blocks nobody, and is used once it is free', () => {
  const ended = withTwoStores(`
    const locker = open()
    locker.exec('BEGIN EXCLUSIVE')
    let turns = 0
    const timer = setInterval(() => turns++, 10)
    const ids = Array.from({ length: 50 }, (_, index) => String(index))
    const claims = Promise.all(ids.map((id) => one.claim(id, 'f')))
    await pause(1_000)
    locker.exec('ROLLBACK')
    const said = new Set((await claims).map(({ status }) => status))
    clearInterval(timer)
    one.close()
    console.log(JSON.stringify([[...said], turns > 2]))`)
  expect(ended).toEqual([['claimed'], true])
})

test('SERVE-5 no heartbeat and no request reads the whole table, which holds the Outcomes of a week', () => {
  const plans = withTwoStores(`
    const database = open()
    const asked = []
    const told = { exec: (sql) => database.exec(sql), prepare: (sql) => asked.push(sql) && database.prepare(sql) }
    sqliteStore(told).close()
    const planOf = (sql) => database.prepare('EXPLAIN QUERY PLAN ' + sql).all().map(({ detail }) => detail)
    one.close()
    console.log(JSON.stringify(asked.map(planOf)))`) as string[][]
  expect(plans.length).toBeGreaterThan(5)
  expect(plans.flat().filter((step) => /\bSCAN\b/.test(step))).toEqual([])
})

test('SERVE-5 Outcomes that are too old are forgotten, a part of them with each heartbeat, and when they are asked for', () => {
  const kept = withTwoStores(`
    const database = open()
    const insert = database.prepare("INSERT INTO callsheet_outcomes VALUES (?, 'f', '{}', 'o', 1)")
    database.exec('BEGIN')
    for (let n = 0; n < 5_000; n++) insert.run('old-' + n)
    database.exec('COMMIT')
    const statuses = [two.claim('old-4999', 'f'), two.claim('old-4999', 'f')].map(({ status }) => status)
    for (const store of [one, two]) store.close()
    let most = 0
    const counted = (statement) => ({
      get: (...values) => statement.get(...values),
      run: (...values) => {
        const ran = statement.run(...values)
        most = Math.max(most, Number(ran.changes))
        return ran
      },
    })
    const told = { exec: (sql) => database.exec(sql), prepare: (sql) => counted(database.prepare(sql)) }
    const store = sqliteStore(told, { lease: 30 })
    const old = database.prepare("SELECT count(*) AS count FROM callsheet_outcomes WHERE outcome IS NOT NULL")
    while (old.get().count > 0) await pause(5)
    store.close()
    console.log(JSON.stringify([statuses, most]))`)
  expect(kept).toEqual([['claimed', 'running'], 2_000])
})
