import { isJsonObject, own } from '../json/json.ts'
import { type AnyDataMessage, dataOf, messageKind, type OutputMethod } from './message.ts'
import { type Expression, type Path, parseExpression } from './reference.ts'

/** The write of one Message to one path of its kind. */
export interface Write {
  readonly segments: readonly string[]
  readonly value: unknown
  /** `patch`: objects are merged deeply, other values replaced. */
  readonly method: OutputMethod | 'patch'
}

/**
 * Returns the writes of a Message (OUT-3a): to its `_path`; without one, to the paths of its Call's `_outputPath` that its data
 * contains; without both, a patch. A malformed path, or one of another kind, counts as absent.
 */
export function writesOf(message: AnyDataMessage): readonly Write[] {
  const data = dataOf(message)
  const { _path, _call } = message
  if (_path !== undefined || _call !== undefined) {
    const kind = messageKind(message)
    const expression = usable(_path) ?? usable(_call && own(_call, '_outputPath'))
    for (const paths of expression?.alternatives ?? []) {
      const method = message._outputMethod ?? 'set'
      const writes: Write[] = []
      for (const { kind: written, segments } of paths) {
        const value = written === kind ? valueAt(data, segments) : undefined
        if (value !== undefined) writes.push({ segments, value, method })
      }
      if (writes.length > 0) return writes
    }
  }
  return data === undefined ? [] : [{ segments: [], value: data, method: 'patch' }]
}

/**
 * Follows a path into data, through own properties and array indexes only (OUT-8).
 *
 * @returns undefined if there is no such value.
 */
export function valueAt(data: unknown, segments: readonly string[]): unknown {
  let value = data
  for (const segment of segments) value = childOf(value, segment)
  return value
}

/** Reads one property or array item; undefined if absent. */
export function childOf(value: unknown, segment: string): unknown {
  if (Array.isArray(value) ? isIndex(segment) : isJsonObject(value)) return own(value as object, segment)
  return undefined
}

/** True for a segment that is an array index: digits without leading zeros. */
export function isIndex(segment: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(segment)
}

/** Wraps a value in the objects that lead to it: `nest(['a', 'b'], 1)` is `{ a: { b: 1 } }`. */
export function nest(path: Path['segments'], value: unknown): unknown {
  return path.reduceRight((inner, segment) => ({ [segment]: inner }), value)
}

function usable(path: unknown): Expression | undefined {
  const expression = typeof path === 'string' ? parseExpression(path) : null
  return expression && expression.reserved === undefined ? expression : undefined
}
