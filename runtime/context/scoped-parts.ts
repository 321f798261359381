import { isJsonObject, type JsonObject } from '../json/json.ts'
import { copyJson } from '../json/json-copy.ts'
import { isSameJson } from '../json/same-json.ts'
import { applyWrite, folded } from './apply-write.ts'
import type { AnyDataMessage, DataMessage } from './message.ts'
import { formatPath, type Path } from './reference.ts'
import { childOf, isIndex, nest, valueAt, type Write, writesOf } from './write.ts'

type AllowedPaths = readonly Path['segments'][]

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
  paths: AllowedPaths,
): Map<AnyDataMessage, DataMessage[]> {
  const parts = new Map<AnyDataMessage, DataMessage[]>()
  // The data written so far, and what can be read of it through the parts so far.
  const whole = folded()
  const seen = folded()
  for (const message of messages) {
    const found: DataMessage[] = []
    for (const write of writesOf(message)) {
      const uncertain = paths.filter((path) => mayDiffer(write, path, whole.value, seen.value))
      applyWrite(whole, write)
      let part = partOf(write, paths)
      if (part) applyWrite(seen, part)
      const isSame = part === write || uncertain.every((path) => isSameAt(path, whole.value, seen.value))
      if (!isSame) {
        // The effect of this write depends on hidden data, such as the length of an array: replace it by its result, copied
        // since later writes change `whole` in place.
        part = partOf(
          { ...write, value: copyJson(valueAt(whole.value, write.segments)), method: 'set' },
          paths,
        ) as Write
        applyWrite(seen, part)
      }
      if (part) found.push(messageOf(part, kind, message))
    }
    if (found.length > 0) parts.set(message, found)
  }
  return parts
}

function isSameAt(path: Path['segments'], whole: unknown, seen: unknown): boolean {
  return isSameJson(valueAt(whole, path), valueAt(seen, path))
}

/**
 * True if a path that reads the same in the whole and in the part may read differently after a write was applied to the whole
 * and its reduced form to the part. Comparing the values after each write would take quadratic time, so the caller compares only
 * if this returns true.
 */
function mayDiffer(
  { segments, method }: Write,
  path: Path['segments'],
  whole: unknown,
  seen: unknown,
): boolean {
  if (!startsWith(path, segments)) return false
  if (method !== 'merge' && method !== 'patch') return true
  // A merge recurses into objects and replaces anything else; of the rest, only arrays can contain part of a path.
  for (let depth = segments.length; depth < path.length; depth++) {
    const [mine, theirs] = [whole, seen].map((value) => valueAt(value, path.slice(0, depth)))
    if (isJsonObject(mine) && isJsonObject(theirs)) continue
    return [mine, theirs].some((value) => typeof value === 'object' && value !== null)
  }
  return false
}

/** Reduces a write to the allowed paths; undefined if it has no visible effect on them. */
function partOf(write: Write, paths: AllowedPaths): Write | undefined {
  const { segments, value, method } = write
  if (paths.some((path) => startsWith(segments, path))) return write
  const rests = paths.filter((path) => startsWith(path, segments)).map((path) => path.slice(segments.length))
  if (rests.length === 0 || method === 'push' || method === 'concat') return undefined
  const cut = cutDown(value, rests, method !== 'set')
  return cut === undefined ? undefined : { segments, value: cut, method }
}

/**
 * Reduces a value to the allowed paths. A value that replaces older data keeps an empty container in its place, so that the older
 * data stays hidden; with `merged` nothing is kept there.
 */
function cutDown(value: unknown, paths: AllowedPaths, merged: boolean): unknown {
  if (paths.some((path) => path.length === 0)) return value
  const heads = [...new Set(paths.map(([head = '']) => head))]
  const tailsOf = (head: string): AllowedPaths =>
    paths.filter((path) => path[0] === head).map((path) => path.slice(1))
  if (Array.isArray(value)) {
    const kept = heads.filter((head) => isIndex(head) && Number(head) < value.length)
    const list: unknown[] = Array(Math.max(0, ...kept.map((head) => Number(head) + 1))).fill(null)
    for (const head of kept) list[Number(head)] = cutDown(value[Number(head)], tailsOf(head), false)
    return list
  }
  if (!isJsonObject(value)) return null
  const object: JsonObject = {}
  for (const head of heads) {
    const child = childOf(value, head)
    const cut = child === undefined ? undefined : cutDown(child, tailsOf(head), merged)
    if (cut !== undefined) object[head] = cut
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

function startsWith(path: Path['segments'], start: Path['segments']): boolean {
  return start.every((segment, index) => segment === path[index])
}
