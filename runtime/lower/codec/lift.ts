import { isJsonObject, own } from '../../json/json.ts'
import { jsonOr } from '../../json/json-or.ts'
import { chooseBranch } from './choose-branch.ts'
import {
  type Codec,
  type CodecScope,
  deepestValue,
  type Member,
  type ObjectCodec,
  type TupleCodec,
} from './codec.ts'

/**
 * Converts a model's answer from the form of the lowered schema to that of the declared schema. Values of an unexpected form are
 * returned unchanged, for the validator to report. Never changes its input.
 */
export function lift(codec: Codec | undefined, value: unknown, scope: CodecScope, depth = 0): unknown {
  if (codec === undefined || depth > deepestValue) return value
  const next = (inner: Codec | undefined, part: unknown): unknown => lift(inner, part, scope, depth + 1)
  switch (codec.kind) {
    case 'object':
      return isJsonObject(value) ? liftObject(codec, value, next, scope) : value
    case 'array':
      return Array.isArray(value) ? value.map((entry) => next(codec.items, entry)) : value
    case 'prefix':
      return Array.isArray(value)
        ? value.map((entry, index) =>
            next(index < codec.items.length ? codec.items[index] : codec.rest, entry),
          )
        : value
    case 'tuple':
      return isJsonObject(value) ? liftTuple(codec, value, next, scope) : value
    case 'entries': {
      const entries = keyValueEntries(value)
      // `fromEntries` defines own properties, including one named `__proto__`; of two equal keys the last wins.
      return entries
        ? Object.fromEntries(entries.map(([key, entry]) => [key, next(codec.value, entry)]))
        : value
    }
    case 'json':
      // Text that is not JSON stays text: a model that wrote a plain word meant that word.
      return typeof value === 'string' ? jsonOr(value, value) : value
    case 'ref':
      return next(scope.definitions.get(codec.name)?.value, value)
    case 'wrapped':
      return isJsonObject(value) && Object.hasOwn(value, codec.name)
        ? next(codec.value, value[codec.name])
        : value
    case 'union':
      return next(chooseBranch(codec.branches, value, scope)?.value, value)
    case 'capitals': {
      if (typeof value !== 'string' || codec.values.includes(value)) return value
      const alike = codec.values.filter((entry) => entry.toLowerCase() === value.toLowerCase())
      return alike.length === 1 ? alike[0] : value
    }
  }
}

type Next = (codec: Codec | undefined, part: unknown) => unknown

function liftObject(
  codec: ObjectCodec,
  value: Record<string, unknown>,
  next: Next,
  scope: CodecScope,
): unknown {
  const lifted: [string, unknown][] = []
  for (const [name, part] of Object.entries(value)) {
    const member = codec.members.get(name)
    if (member) {
      if (!standsForAbsent(member, part, scope)) lifted.push([name, next(member.value, part)])
    } else if (name === codec.rest?.name) {
      const entries = keyValueEntries(part)
      if (!entries) lifted.push([name, part])
      for (const [key, entry] of entries ?? []) {
        // A declared property counts in its own place only.
        if (!codec.members.has(key)) lifted.push([key, next(codec.rest.value, entry)])
      }
    } else lifted.push([name, next(codec.additional, part)])
  }
  return Object.fromEntries(lifted)
}

function liftTuple(
  codec: TupleCodec,
  value: Record<string, unknown>,
  next: Next,
  scope: CodecScope,
): unknown {
  const lifted: unknown[] = []
  for (const { name, member } of codec.items) {
    const part = own(value, name)
    // An array has no holes: it ends at the first absent item.
    if (part === undefined || standsForAbsent(member, part, scope)) return lifted
    lifted.push(next(member.value, part))
  }
  const rest = codec.rest && own(value, codec.rest.name)
  if (Array.isArray(rest)) for (const entry of rest) lifted.push(next(codec.rest?.value, entry))
  return lifted
}

function standsForAbsent({ absent }: Member, part: unknown, { marker }: CodecScope): boolean {
  if (absent === 'null') return part === null
  return absent === 'marker' && isJsonObject(part) && part[marker] === true && Object.keys(part).length === 1
}

/** Returns the pairs of a list of `{ key, value }`; undefined for any other value. */
function keyValueEntries(value: unknown): [string, unknown][] | undefined {
  if (!Array.isArray(value)) return undefined
  const entries: [string, unknown][] = []
  for (const entry of value) {
    const key = isJsonObject(entry) ? own(entry, 'key') : undefined
    if (typeof key !== 'string' || !Object.hasOwn(entry, 'value')) return undefined
    entries.push([key, entry.value])
  }
  return entries
}
