import { isJsonObject } from '../../json/json.ts'
import { isSameJson } from '../../json/same-json.ts'
import { takes } from './choose-branch.ts'
import {
  type Codec,
  type CodecScope,
  deepestValue,
  type Member,
  type ObjectCodec,
  type TupleCodec,
  type UnionBranch,
} from './codec.ts'
import { lift } from './lift.ts'
import { branchesByTag } from './tagged-branches.ts'

/**
 * Converts a value of the declared schema to the form of the lowered one; the inverse of {@link lift}. For values that are sent to
 * a model: examples and earlier Calls.
 */
export function toLowered(
  codec: Codec | undefined,
  value: unknown,
  scope: CodecScope,
  depth = 0,
  known: KnownForms = new Map(),
): unknown {
  if (codec === undefined || depth > deepestValue) return value
  const next = (inner: Codec | undefined, part: unknown): unknown =>
    toLowered(inner, part, scope, depth + 1, known)
  switch (codec.kind) {
    case 'object':
      return isJsonObject(value) ? objectForm(codec, value, next, scope) : value
    case 'array':
      return Array.isArray(value) ? value.map((entry) => next(codec.items, entry)) : value
    case 'prefix':
      return Array.isArray(value)
        ? value.map((entry, index) =>
            next(index < codec.items.length ? codec.items[index] : codec.rest, entry),
          )
        : value
    case 'tuple':
      return Array.isArray(value) ? tupleForm(codec, value, next, scope) : value
    case 'entries':
      return isJsonObject(value)
        ? entriesForm(Object.entries(value), (entry) => next(codec.value, entry))
        : value
    case 'json':
      return JSON.stringify(value)
    case 'ref':
      return next(scope.definitions.get(codec.name)?.value, value)
    case 'wrapped':
      return { [codec.name]: next(codec.value, value) }
    case 'union': {
      const forms = known.get(codec) ?? new Map<unknown, unknown>()
      known.set(codec, forms)
      if (!forms.has(value)) forms.set(value, unionForm(codec.branches, value, next, scope))
      return forms.get(value)
    }
    case 'capitals':
      return value
  }
}

/** The forms that unions gave values: without them, one that fits no branch would be tried twice as often at each level. */
type KnownForms = Map<Codec, Map<unknown, unknown>>

function unionForm(branches: readonly UnionBranch[], value: unknown, next: Next, scope: CodecScope): unknown {
  // Accept a form only if lifting it gives the value again: the form of another branch may fit by accident.
  for (const branch of branchesByTag(branches, value)) {
    if (contradicts(branch, value, scope)) continue
    const form = next(branch.value, value)
    if (takes(branch, form, scope) && isSameJson(lift(branch.value, form, scope), value)) return form
  }
  return value
}

/**
 * True if a fixed property already shows that the value belongs to another branch. Without this test, all branches of a recursive
 * union would be tried at every level, in time exponential in the depth.
 */
function contradicts({ schema, value: codec }: UnionBranch, value: unknown, scope: CodecScope): boolean {
  if (codec?.kind === 'ref') {
    const target = scope.definitions.get(codec.name)
    return target !== undefined && target.value?.kind !== 'ref' && contradicts(target, value, scope)
  }
  if (schema.type !== 'object' || (codec !== undefined && codec.kind !== 'object')) return false
  if (!isJsonObject(value)) return true
  return Object.entries(schema.properties ?? {}).some(([name, child]) => {
    const member = codec?.members.get(name)?.value
    const isFixed = isJsonObject(child) && child.const !== undefined && typeof child.const !== 'object'
    if (!isFixed || (member !== undefined && member.kind !== 'capitals')) return false
    return Object.hasOwn(value, name) ? value[name] !== child.const : schema.required?.includes(name)
  })
}

type Next = (codec: Codec | undefined, part: unknown) => unknown

function objectForm(
  codec: ObjectCodec,
  value: Record<string, unknown>,
  next: Next,
  scope: CodecScope,
): unknown {
  const form: [string, unknown][] = []
  for (const [name, member] of codec.members) {
    if (Object.hasOwn(value, name)) form.push([name, next(member.value, value[name])])
    else if (member.absent) form.push([name, absentForm(member, scope)])
  }
  const others = Object.entries(value).filter(([name]) => !codec.members.has(name))
  const { rest } = codec
  if (rest) form.push([rest.name, entriesForm(others, (part) => next(rest.value, part))])
  else for (const [name, part] of others) form.push([name, next(codec.additional, part)])
  return Object.fromEntries(form)
}

function tupleForm(codec: TupleCodec, value: unknown[], next: Next, scope: CodecScope): unknown {
  const form: [string, unknown][] = []
  codec.items.forEach(({ name, member }, index) => {
    if (index < value.length) form.push([name, next(member.value, value[index])])
    else if (member.absent) form.push([name, absentForm(member, scope)])
  })
  const { rest } = codec
  if (rest) form.push([rest.name, value.slice(codec.items.length).map((entry) => next(rest.value, entry))])
  return Object.fromEntries(form)
}

/** Converts a record to a list of `{ key, value }`. */
function entriesForm(entries: [string, unknown][], form: (part: unknown) => unknown): unknown[] {
  return entries.map(([key, part]) => ({ key, value: form(part) }))
}

function absentForm({ absent }: Member, { marker }: CodecScope): unknown {
  return absent === 'marker' ? { [marker]: true } : null
}
