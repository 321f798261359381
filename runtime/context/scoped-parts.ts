import { isJsonObject, type JsonObject } from '../json/json.ts'
import { copyJson } from '../json/json-copy.ts'
import { isSameJson } from '../json/same-json.ts'
import { applyWrite, folded } from './apply-write.ts'
import type { AnyDataMessage, DataMessage } from './message.ts'
import { formatPath, type Path } from './reference.ts'
import { childOf, isIndex, nest, valueAt, type Write, writesOf } from './write.ts'

type Ways = readonly Path['segments'][]

/**
 * Cuts the Messages of one kind down to what lies on some ways into their data, such that reading along these ways
 * gives what it gives in the whole (SCOPE-1). Parts carry no `_call` and no schema or description of the whole
 * (SCOPE-3); what a part needs to be read as the whole was, they spell out in `_path` and `_outputMethod`.
 *
 * @param messages All of the kind that can be seen, global ones first, as an instance reads them.
 * @returns The parts of each Message that has some.
 */
export function scopedParts(
  messages: readonly AnyDataMessage[],
  kind: string,
  ways: Ways,
): Map<AnyDataMessage, DataMessage[]> {
  const parts = new Map<AnyDataMessage, DataMessage[]>()
  // What has been written, and what of it can be seen through the parts so far.
  const whole = folded()
  const seen = folded()
  for (const message of messages) {
    const found: DataMessage[] = []
    for (const write of writesOf(message)) {
      const uncertain = ways.filter((way) => mayDiffer(write, way, whole.value, seen.value))
      applyWrite(whole, write)
      let part = partOf(write, ways)
      if (part) applyWrite(seen, part)
      const isSame = part === write || uncertain.every((way) => isSameAt(way, whole.value, seen.value))
      if (!isSame) {
        // What the write does hangs on what is out of sight, such as the length of a list: its result stands for it,
        // copied, since later writes change `whole` in place.
        part = partOf(
          { ...write, value: copyJson(valueAt(whole.value, write.segments)), method: 'set' },
          ways,
        ) as Write
        applyWrite(seen, part)
      }
      if (part) found.push(messageOf(part, kind, message))
    }
    if (found.length > 0) parts.set(message, found)
  }
  return parts
}

function isSameAt(way: Path['segments'], whole: unknown, seen: unknown): boolean {
  return isSameJson(valueAt(whole, way), valueAt(seen, way))
}

/**
 * Whether a way on which whole and part read the same may read otherwise once a write has been applied to the whole and its
 * cut to the part. Comparing what stands there after each write would take the square of the context: it is done only where
 * the write reaches past what both have alike.
 */
function mayDiffer(
  { segments, method }: Write,
  way: Path['segments'],
  whole: unknown,
  seen: unknown,
): boolean {
  if (!startsWith(way, segments)) return false
  if (method !== 'merge' && method !== 'patch') return true
  // What is merged goes on through objects and replaces anything else; of that only lists have something on a way.
  for (let depth = segments.length; depth < way.length; depth++) {
    const [mine, theirs] = [whole, seen].map((value) => valueAt(value, way.slice(0, depth)))
    if (isJsonObject(mine) && isJsonObject(theirs)) continue
    return [mine, theirs].some((value) => typeof value === 'object' && value !== null)
  }
  return false
}

/** Cuts a write down to the ways; undefined when it does not touch them, or not in a way that shows. */
function partOf(write: Write, ways: Ways): Write | undefined {
  const { segments, value, method } = write
  if (ways.some((way) => startsWith(segments, way))) return write
  const rests = ways.filter((way) => startsWith(way, segments)).map((way) => way.slice(segments.length))
  if (rests.length === 0 || method === 'push' || method === 'concat') return undefined
  const cut = cutDown(value, rests, method !== 'set')
  return cut === undefined ? undefined : { segments, value: cut, method }
}

/**
 * Keeps of a value what lies on the ways. What replaces older data keeps an empty place where that data was, so that
 * it stays hidden; what is `merged` into it leaves nothing.
 */
function cutDown(value: unknown, ways: Ways, merged: boolean): unknown {
  if (ways.some((way) => way.length === 0)) return value
  const heads = [...new Set(ways.map(([head = '']) => head))]
  const tailsOf = (head: string): Ways => ways.filter((way) => way[0] === head).map((way) => way.slice(1))
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
