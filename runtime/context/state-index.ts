import { applyWrite, type Folded, folded } from './apply-write.ts'
import { type AnyDataMessage, isDataMessage, type Message, messageKind } from './message.ts'
import type { Reader } from './reader.ts'
import type { Path } from './reference.ts'
import { valueAt, writesOf } from './write.ts'

/** What was written to one kind, by one instance or by nobody in particular. */
interface Log {
  readonly messages: AnyDataMessage[]
  state: Folded
  /** How many of the Messages the state holds. */
  applied: number
  /** How many global Messages the state is built on. */
  base: number
}

type Logs = Map<string, Log>

/**
 * Reads an append-only log through an index that grows with it and gives the answers of `readState`.
 *
 * A read costs the depth of its path, however long the log is; each Message is applied once. Only what an instance
 * wrote is applied anew, to the same kind, after a later global Message of that kind.
 *
 * @param messages May only grow at its end.
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
