import { longestWait } from '../call/controls/start-timer.ts'
import { CallsheetError } from '../errors.ts'
import { duration, withMethods } from '../problems/field-rule.ts'
import { messageOf } from '../problems/message-of.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { warnOnce } from '../problems/warn-once.ts'
import { blockingWait, LockPatience, longestLock } from './lock-patience.ts'
import type { OutcomeJson } from './outcome-json.ts'
import type { Claim, OutcomeStore } from './outcome-store.ts'

/**
 * The part of a SQLite connection that the store uses. `DatabaseSync` of `node:sqlite` (Node 22) and `Database` of
 * `better-sqlite3` both have it.
 */
export interface SqliteDatabase {
  /** True during a transaction: as `DatabaseSync` calls it, and as `Database` does. */
  readonly isTransaction?: boolean
  readonly inTransaction?: boolean
  exec(sql: string): unknown
  prepare(sql: string): {
    run(...values: unknown[]): { readonly changes: number | bigint }
    get(...values: unknown[]): unknown
  }
}

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /** Milliseconds for which an Outcome is kept. Default: seven days. */
  readonly keeps?: number | undefined
  /** Milliseconds without a heartbeat after which the process that runs a Call counts as dead. Default: 15 seconds. */
  readonly lease?: number | undefined
}

const sqliteStoreRules: OptionRules<SqliteStoreOptions> = { keeps: duration, lease: duration }

const sqlite = withMethods(
  'a connection to SQLite: `DatabaseSync` of node:sqlite, or `Database` of better-sqlite3',
  'exec',
  'prepare',
)

interface Row {
  readonly fingerprint: string
  readonly outcome: string | null
  readonly owner: string
  readonly seen: number
}

/**
 * Creates a store in a SQLite database, which survives restarts and can be shared by processes on one machine. Keeps
 * Outcomes for seven days by default. Give it a connection of its own, since a transaction of yours could undo what it writes, and close it
 * before that.
 *
 * @example
 * import { DatabaseSync } from 'node:sqlite'
 * const store = sqliteStore(new DatabaseSync('outcomes.db'))
 */
export function sqliteStore(database: SqliteDatabase, options: SqliteStoreOptions = {}): OutcomeStore {
  requireArgument('sqliteStore', database, sqlite)
  requireOptionsOf('sqliteStore', options, sqliteStoreRules)
  const { keeps = 7 * 86_400_000, lease = 15_000 } = options
  database.exec(`PRAGMA busy_timeout = ${longestLock}`)
  const owner = globalThis.crypto.randomUUID()
  const { insert, select, takeOver, finish, remove, forget, expire, renew } = statementsFor(database)
  database.exec(`PRAGMA busy_timeout = ${blockingWait}`)
  const patience = new LockPatience()
  // Signs of life do not wait behind other work.
  const patienceToLive = new LockPatience()
  const every = Math.min(lease / 3, longestWait)
  let beatAt = Date.now()
  /** Until then, other processes that slept with the machine, or waited for the same lock, may not have shown that they live. */
  let judgesFrom = 0
  const timer = setInterval(() => void tellAlive(), every)
  // The timer must not keep the process alive.
  if (typeof timer === 'object') timer.unref()

  /** Never fails: from a timer, that would end the process, although the next heartbeat may succeed. */
  async function tellAlive(): Promise<void> {
    try {
      await patienceToLive.run(() => {
        const now = Date.now()
        renew.run(now, owner)
        if (now - beatAt >= 2 * every) judgesFrom = now + 1.5 * every
        beatAt = now
        expire.run(now - keeps)
      })
    } catch (error) {
      warnOnce(
        'CALLSHEET_STORE',
        owner,
        `sqliteStore could not tell its database that this process lives: ${messageOf(error)}. After ${lease} ms without a word its Calls are taken for broken off.`,
      )
    }
  }

  /** The Calls that this process claimed. While it slept another one may have given a key to another Call, whose Outcome is not that of ours. */
  const claimed = new Map<string, string>()

  /** What the store writes in a transaction of its owner is undone with it, and the Call would run again. */
  function requireOwn(): void {
    if (!database.isTransaction && !database.inTransaction) return
    throw new CallsheetError(
      'invalid_options',
      'The connection to SQLite that sqliteStore uses is in a transaction of somebody else. Give the store a connection of its own.',
    )
  }

  function claim(key: string, fingerprint: string): Claim {
    requireOwn()
    const now = Date.now()
    if (Number(insert.run(key, fingerprint, owner, now).changes) === 1) return { status: 'claimed' }
    const row = select.get(key) as Row | undefined
    if (!row) return claim(key, fingerprint) // It expired just now.
    if (row.outcome !== null) {
      if (row.seen < now - keeps) {
        forget.run(key, now - keeps)
        return claim(key, fingerprint)
      }
      return {
        status: 'finished',
        fingerprint: row.fingerprint,
        outcome: JSON.parse(row.outcome) as OutcomeJson,
      }
    }
    // Not for another Call, which is refused: then no process would finish this one.
    const isAwake = now >= judgesFrom && now - beatAt < 2 * every
    const isGone = row.seen < now - lease && row.fingerprint === fingerprint && isAwake
    if (isGone && Number(takeOver.run(owner, now, key, row.owner, row.seen).changes) === 1) {
      return { status: 'abandoned', fingerprint: row.fingerprint }
    }
    return { status: 'running', fingerprint: row.fingerprint }
  }

  return {
    keeps,
    claim: (key, fingerprint) =>
      patience.run(() => {
        const said = claim(key, fingerprint)
        if (said.status === 'claimed' || said.status === 'abandoned') claimed.set(key, fingerprint)
        return said
      }),
    finish: (key, outcome) =>
      patience.run(() => {
        requireOwn()
        const fingerprint = claimed.get(key)
        if (fingerprint !== undefined)
          finish.run(key, fingerprint, JSON.stringify(outcome), owner, Date.now())
        claimed.delete(key)
      }),
    release: (key) =>
      patience.run(() => {
        requireOwn()
        remove.run(key, owner)
        claimed.delete(key)
      }),
    close: () => clearInterval(timer),
  }
}

/** Most Outcomes that a heartbeat drops: other work waits meanwhile. */
const mostDropped = 2_000

/**
 * Creates the table, if necessary, and prepares the statements. The indexes are for heartbeats, which would otherwise read the whole
 * table, and block the process for seconds once it has some hundred thousand Outcomes.
 */
function statementsFor(database: SqliteDatabase) {
  database.exec(`CREATE TABLE IF NOT EXISTS callsheet_outcomes (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, outcome TEXT, owner TEXT NOT NULL, seen INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS callsheet_running ON callsheet_outcomes (owner) WHERE outcome IS NULL;
  CREATE INDEX IF NOT EXISTS callsheet_finished ON callsheet_outcomes (seen) WHERE outcome IS NOT NULL`)
  return {
    insert: database.prepare(
      'INSERT INTO callsheet_outcomes (key, fingerprint, owner, seen) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
    ),
    select: database.prepare(
      'SELECT fingerprint, outcome, owner, seen FROM callsheet_outcomes WHERE key = ?',
    ),
    takeOver: database.prepare(
      'UPDATE callsheet_outcomes SET owner = ?, seen = ? WHERE key = ? AND outcome IS NULL AND owner = ? AND seen = ?',
    ),
    // The first Outcome stays, since callers have it: of a process that slept, another one may have repeated the Call. Only one that
    // says that nothing is known gives way, or does not replace what is known by then.
    // One whose row is gone, since somebody emptied the table or restored a backup, is written again: its Call must not run twice.
    finish: database.prepare(
      `INSERT INTO callsheet_outcomes (key, fingerprint, outcome, owner, seen) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET outcome = excluded.outcome, seen = excluded.seen
        WHERE fingerprint = excluded.fingerprint
        AND (outcome IS NULL OR json_extract(outcome, '$.error.code') = 'interrupted')`,
    ),
    remove: database.prepare(
      'DELETE FROM callsheet_outcomes WHERE key = ? AND outcome IS NULL AND owner = ?',
    ),
    forget: database.prepare(
      'DELETE FROM callsheet_outcomes WHERE key = ? AND outcome IS NOT NULL AND seen < ?',
    ),
    expire: database.prepare(
      `DELETE FROM callsheet_outcomes WHERE key IN (
        SELECT key FROM callsheet_outcomes WHERE outcome IS NOT NULL AND seen < ? LIMIT ${mostDropped})`,
    ),
    renew: database.prepare('UPDATE callsheet_outcomes SET seen = ? WHERE outcome IS NULL AND owner = ?'),
  }
}
