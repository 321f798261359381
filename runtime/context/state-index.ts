import { applyWrite, type Folded, folded } from './apply-write.ts'
import { type AnyDataMessage, isDataMessage, type Message, messageKind } from './message.ts'
import type { Reader } from './reader.ts'
import type { Path } from './reference.ts'
import { valueAt, writesOf } from './write.ts'

/** The data of one kind, written by one instance or globally. */
interface Log {
  readonly messages: AnyDataMessage[]
  state: Folded
  /** The number of Messages already applied. */
  applied: number
  /** The number of global Messages that this instance's state includes. */
  base: number
}

type Logs = Map<string, Log>

/**
 * Creates a reader over an append-only log with an incremental index. It returns the same values as `readState`.
 *
 * The time of a read depends on the depth of its path, not on the length of the log: each Message is applied once. Only an
 * instance's own writes to a kind are applied again after a later global Message of that kind.
 *
 * @param messages May only grow, at its end.
 */
export function createStateIndex(messages: readonly Message[]): Reader {
  const logsOfInstances = new Map<string | undefined, Logs>()
  let filed = 0

  function catchUp(): void {
    for (; filed < messages.length; filed++) file(messages[filed] as Message)
  }

  function file(message: Message): void {
    const logs: Logs = logsOfInstances.get(message._instance) ?? new Map()
    logsOfInstances.set(message._instance, logs)
    if (!isDataMessage(message)) return
    const log = logs.get(messageKind(message))
    if (log) log.messages.push(message)
    else logs.set(messageKind(message), { messages: [message], state: folded(), applied: 0, base: 0 })
  }

  function read(path: Path, instance?: string): unknown {
    catchUp()
    const global = logsOfInstances.get(undefined)?.get(path.kind)
    const log = instance === undefined ? undefined : logsOfInstances.get(instance)?.get(path.kind)
    if (global) apply(global)
    if (!log) return valueAt(global?.state.value, path.segments)
    if (global && log.base !== global.applied) {
      log.state = folded(global.state.value)
      log.applied = 0
      log.base = global.applied
    }
    apply(log)
    return valueAt(log.state.value, path.segments)
  }

  function hasInstance(instance: string): boolean {
    catchUp()
    return logsOfInstances.has(instance)
  }

  function instances(): readonly string[] {
    catchUp()
    return [...logsOfInstances.keys()].filter((name) => name !== undefined)
  }

  return { messages, read, hasInstance, instances }
}

function apply(log: Log): void {
  for (; log.applied < log.messages.length; log.applied++) {
    for (const write of writesOf(log.messages[log.applied] as AnyDataMessage)) applyWrite(log.state, write)
  }
}
