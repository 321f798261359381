import { isJsonObject } from '../json/json.ts'
import { applyWrite, folded } from './apply-write.ts'
import { instancesOf } from './instances.ts'
import { type GivenMessage, isDataMessage, type Message, messageKind } from './message.ts'
import { contextInternals, type Reader } from './reader.ts'
import type { Expression, Path } from './reference.ts'
import { createStateIndex } from './state-index.ts'
import { childOf, isIndex, valueAt, type Write, writesOf } from './write.ts'

const noMessages: readonly Message[] = Object.freeze([])
const emptyReader: Reader = arrayReader(noMessages)

/** Returns the reader for a context: indexed for a Context, searching for an array. */
export function readerOf(
  context: readonly GivenMessage[] | { readonly messages: readonly Message[] } | undefined,
): Reader {
  if (context === undefined) return emptyReader
  if ('messages' in context) return contextInternals.get(context)?.reader ?? arrayReader(context.messages)
  return arrayReader(context as readonly Message[])
}

/**
 * Reads an array by searching, and builds an index once the searches have cost as much: a Call may contain a thousand
 * unresolvable References.
 */
export function arrayReader(messages: readonly Message[]): Reader {
  let looked = 0
  let index: Reader | undefined
  const indexed = (): Reader | undefined => {
    if (looked > 1000 + 2 * messages.length) index ??= createStateIndex(messages)
    return index
  }
  return {
    messages,
    read(path, instance) {
      const quick = indexed()
      if (quick) return quick.read(path, instance)
      const result = search(messages, path, instance)
      looked += result.looked
      return result.value
    },
    hasInstance(instance) {
      const quick = indexed()
      if (quick) return quick.hasInstance(instance)
      looked += messages.length
      return messages.some((message) => message._instance === instance)
    },
    instances() {
      const quick = indexed()
      if (quick) return quick.instances()
      looked += messages.length
      return instancesOf(messages)
    },
  }
}

/**
 * Reads a path: searches the log from newest to oldest and applies the writes found, oldest first (OUT-3, OUT-4). An instance
 * sees global Messages as older than all of its own (INST-1).
 *
 * Searches back to the newest Message that determines the value. The value is not copied.
 *
 * @returns undefined if there is no value.
 */
export function readState(messages: readonly Message[], path: Path, instance?: string): unknown {
  return search(messages, path, instance).value
}

/** @returns The value, and the number of Messages searched. */
function search(
  messages: readonly Message[],
  path: Path,
  instance?: string,
): { readonly value: unknown; readonly looked: number } {
  const found: Write[] = []
  const settledBy = collectBack(messages, path, instance, found)
  let looked = messages.length - settledBy
  if (settledBy < 0 && instance !== undefined) {
    looked += messages.length - collectBack(messages, path, undefined, found)
  }
  return { value: foldedAt(found, path), looked }
}

/** Applies writes, listed newest first, and returns the value at a path. */
export function foldedAt(found: readonly Write[], path: Path): unknown {
  const state = folded()
  for (let index = found.length - 1; index >= 0; index--) applyWrite(state, found[index] as Write)
  return valueAt(state.value, path.segments)
}

/** Collects the writes to a kind, newest first. @returns true if the last one collected determines the value at the path. */
export function collect(
  messages: readonly Message[],
  path: Path,
  instance: string | undefined,
  found: Write[],
): boolean {
  return collectBack(messages, path, instance, found) >= 0
}

/** @returns The index of the Message that determines the value at the path, -1 if none does. */
function collectBack(
  messages: readonly Message[],
  path: Path,
  instance: string | undefined,
  found: Write[],
): number {
  let index = messages.length - 1
  while (index >= 0 && !collectOne(messages[index] as Message, path, instance, found)) index--
  return index
}

function collectOne(message: Message, path: Path, instance: string | undefined, found: Write[]): boolean {
  if (message._instance !== instance || !isDataMessage(message) || messageKind(message) !== path.kind)
    return false
  // One Message writes one path or sibling paths, so its last write determines no more than the others.
  const writes = writesOf(message)
  for (const write of [...writes].reverse()) found.push(write)
  return writes.some((write) => settles(write, path.segments))
}

/** True if a write determines the value at the path, whatever was written before. */
function settles({ segments, value, method }: Write, path: Path['segments']): boolean {
  if (method === 'set') {
    // An index can mean another item once the array around it is known, so a `set` of an index determines nothing.
    return segments.every((segment, index) => segment === path[index] && !isIndex(segment))
  }
  if (method !== 'patch') return false
  let part = value
  for (const segment of path) {
    if (!isJsonObject(part)) return part !== undefined
    part = childOf(part, segment)
  }
  return part !== undefined && !isJsonObject(part)
}

/**
 * Evaluates an expression (REF-2): returns the last value of the first alternative whose paths are all present. `null`, `false`,
 * `0` and `''` are present. The value is not copied.
 *
 * @param allows Paths that it rejects count as absent.
 * @returns undefined if no alternative is present.
 */
export function evaluate(
  expression: Expression,
  reader: Reader,
  instance?: string,
  allows?: (path: Path) => boolean,
): unknown {
  for (const paths of expression.alternatives) {
    let value: unknown
    for (const path of paths) {
      value = !allows || allows(path) ? reader.read(path, instance) : undefined
      if (value === undefined) break
    }
    if (value !== undefined) return value
  }
  return undefined
}
