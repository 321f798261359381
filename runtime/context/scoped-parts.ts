import { isJsonObject, type JsonObject } from '../json/json.ts'
import { copyJson } from '../json/json-copy.ts'
import { isSameJson } from '../json/same-json.ts'
import { applyWrite, folded } from './apply-write.ts'
import type { AnyDataMessage, DataMessage } from './message.ts'
import { type PathTree, partOfTree, pathTreeOf } from './path-tree.ts'
import { formatPath, type Path } from './reference.ts'
import { childOf, nest, valueAt, type Write, writesOf } from './write.ts'

/**
 * Reduces the Messages of one kind to the data on the allowed paths, such that reading these paths gives the same values as in
 * the whole context (SCOPE-1). The parts have no `_call`, schema or description of the whole (SCOPE-3); they state their `_path`
 * and `_outputMethod` explicitly, so that they are read as the whole was.
 *
 * @param messages All visible Messages of the kind, global ones first, as an instance reads them.
 * @returns The parts of each Message that has any.
 */
export function scopedParts(
  messages: readonly AnyDataMessage[],
  kind: string,
  paths: Iterable<Path['segments']>,
): Map<AnyDataMessage, DataMessage[]> {
  const allowed = pathTreeOf(paths)
  const parts = new Map<AnyDataMessage, DataMessage[]>()
  // The data written so far, and what can be read of it through the parts so far.
  const whole = folded()
  const seen = folded()
  for (const message of messages) {
    const found: DataMessage[] = []
    for (const write of writesOf(message)) {
      const { segments } = write
      const here = partOfTree(allowed, segments)
      const mayBecomeOther =
        here && mayDiffer(write, here, valueAt(whole.value, segments), valueAt(seen.value, segments))
      applyWrite(whole, write)
      if (!here) continue
      let part = partOf(write, here)
      if (part) applyWrite(seen, part)
      if (mayBecomeOther && !isSameOn(here, valueAt(whole.value, segments), valueAt(seen.value, segments))) {
        // The effect of this write depends on hidden data, such as the length of an array: replace it by its result, copied
        // since later writes change `whole` in place.
        const value = copyJson(valueAt(whole.value, segments))
        part = partOf({ segments, value, method: 'set' }, here) as Write
        applyWrite(seen, part)
      }
      if (part) found.push(messageOf(part, kind, message))
    }
    if (found.length > 0) parts.set(message, found)
  }
  return parts
}

/** True if the allowed paths give the same values in the whole and in the part. */
function isSameOn(allowed: PathTree, whole: unknown, seen: unknown): boolean {
  if (allowed.isWhole) return isSameJson(whole, seen)
  return Array.from(allowed.children).every(([segment, child]) =>
    isSameOn(child, childOf(whole, segment), childOf(seen, segment)),
  )
}

/**
 * True if allowed paths that read the same in the whole and in the part may read differently after a write was applied to the
 * whole and its reduced form to the part. Comparing the values after each write would take quadratic time, so the caller compares
 * only if this returns true.
 *
 * @param whole The data at the place of the write; so is `seen` of the part.
 */
function mayDiffer({ value, method }: Write, allowed: PathTree, whole: unknown, seen: unknown): boolean {
  // A visible write is applied to both alike, and a `set` leaves its own value.
  if (allowed.isWhole || method === 'set') return false
  return (method !== 'merge' && method !== 'patch') || mergeMayDiffer(value, allowed, whole, seen)
}

/** A merge recurses into objects and replaces anything else; of the rest, only arrays can contain part of a path. */
function mergeMayDiffer(value: unknown, allowed: PathTree, whole: unknown, seen: unknown): boolean {
  if (allowed.isWhole) return false
  if (!isJsonObject(whole) || !isJsonObject(seen)) return Array.isArray(whole) || Array.isArray(seen)
  return partsIn(value, allowed).some(([segment, child, part]) =>
    mergeMayDiffer(part, child, childOf(whole, segment), childOf(seen, segment)),
  )
}

/** Lists the children of a value that allowed paths lead to. Looks at its children or at those of the tree, whichever are fewer. */
function partsIn(
  value: unknown,
  { children }: PathTree,
): [segment: string, allowed: PathTree, part: unknown][] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.keys(value)
  const segments = own.length < children.size ? own : children.keys()
  return Array.from(segments).flatMap((segment) => {
    const allowed = children.get(segment)
    const part = childOf(value, segment)
    return allowed && part !== undefined ? [[segment, allowed, part]] : []
  })
}

/** Reduces a write to the allowed paths; undefined if it has no visible effect on them. */
function partOf(write: Write, allowed: PathTree): Write | undefined {
  const { segments, value, method } = write
  if (allowed.isWhole) return write
  if (method === 'push' || method === 'concat') return undefined
  const cut = cutDown(value, allowed, method !== 'set')
  return cut === undefined ? undefined : { segments, value: cut, method }
}

/**
 * Reduces a value to the allowed paths. A value that replaces older data keeps an empty container in its place, so that the older
 * data stays hidden; with `merged` nothing is kept there.
 */
function cutDown(value: unknown, allowed: PathTree, merged: boolean): unknown {
  if (allowed.isWhole) return value
  const parts = partsIn(value, allowed)
  if (Array.isArray(value)) {
    const list: unknown[] = Array(Math.max(0, ...parts.map(([index]) => Number(index) + 1))).fill(null)
    for (const [index, child, item] of parts) list[Number(index)] = cutDown(item, child, false)
    return list
  }
  if (!isJsonObject(value)) return null
  const object: JsonObject = {}
  for (const [segment, child, part] of parts) {
    const cut = cutDown(part, child, merged)
    if (cut !== undefined) object[segment] = cut
  }
  return merged && Object.keys(object).length === 0 ? undefined : object
}

function messageOf({ segments, value, method }: Write, kind: string, whole: AnyDataMessage): DataMessage {
  const part: DataMessage = { type: 'data', kind, data: nest(segments, value) }
  if (method !== 'patch') part._path = formatPath({ kind, segments })
  if (method !== 'patch' && method !== 'set') part._outputMethod = method
  if (whole._date !== undefined) part._date = whole._date
  if (whole._instance !== undefined) part._instance = whole._instance
  return part
}
