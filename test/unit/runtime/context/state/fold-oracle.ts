import { type AnyDataMessage, dataOf, type Message } from '../../../../../runtime/context/message.ts'
import { parseExpression } from '../../../../../runtime/context/reference.ts'

type Json = unknown
type JsonMap = Record<string, Json>

/**
 * What a kind holds for an instance, worked out the slow and obvious way: the global Messages and then the instance's
 * own are applied one after the other, and everything is copied before anything is changed.
 */
export function foldOracle(messages: readonly Message[], kind: string, instance?: string): Json {
  const ofKind = messages.filter((message): message is AnyDataMessage =>
    message.type === 'data' ? (message.kind ?? 'data') === kind : message.type === kind && isShort(message),
  )
  const seen = [
    ...ofKind.filter((message) => message._instance === undefined),
    ...(instance === undefined ? [] : ofKind.filter((message) => message._instance === instance)),
  ]
  return seen.reduce<Json>((state, message) => applied(structuredClone(state), message, kind), undefined)
}

function isShort(message: Message): boolean {
  return message.type === 'state' || message.type === 'input'
}

function applied(state: Json, message: AnyDataMessage, kind: string): Json {
  const data = structuredClone(dataOf(message))
  const text = message._path ?? message._call?._outputPath
  const alternatives = typeof text === 'string' ? (parseExpression(text)?.alternatives ?? []) : []
  const written = alternatives
    .map((paths) => paths.filter((path) => path.kind === kind && at(data, path.segments) !== undefined))
    .find((paths) => paths.length > 0)
  if (!written) return deeplyMerged(state, data)
  return written.reduce((result, { segments }) => {
    const value = at(data, segments)
    return changed(result, segments, (old) => byMethod(message._outputMethod ?? 'set', old, value))
  }, state)
}

function byMethod(method: string, old: Json, value: Json): Json {
  if (method === 'push') return Array.isArray(old) ? [...old, value] : [value]
  if (method === 'concat') return Array.isArray(old) ? old.concat(value) : value
  if (method === 'assign') return isMap(old) && isMap(value) ? { ...old, ...value } : value
  if (method === 'merge') return deeplyMerged(old, value)
  return value
}

function deeplyMerged(old: Json, value: Json): Json {
  if (!isMap(old) || !isMap(value)) return value
  const merged = { ...old }
  for (const [key, part] of Object.entries(value)) merged[key] = deeplyMerged(merged[key], part)
  return merged
}

function changed(old: Json, segments: readonly string[], change: (old: Json) => Json): Json {
  const [head, ...rest] = segments
  if (head === undefined) return change(old)
  const part = changed(at(old, [head]), rest, change)
  if (Array.isArray(old) && /^\d+$/.test(head) && Number(head) <= old.length) {
    return Object.assign([...old], { [head]: part })
  }
  return { ...(typeof old === 'object' ? old : {}), [head]: part }
}

/** Follows own properties; lists have items only. */
export function at(value: Json, segments: readonly string[]): Json {
  let part = value
  for (const segment of segments) {
    if (Array.isArray(part)) part = /^(0|[1-9]\d*)$/.test(segment) ? part[Number(segment)] : undefined
    else part = isMap(part) && Object.hasOwn(part, segment) ? part[segment] : undefined
  }
  return part
}

function isMap(value: Json): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
