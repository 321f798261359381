import { isJsonObject } from '../../json/json.ts'
import type { JsonSchema, Schema } from '../../schema/schema.ts'
import { isExclusive } from '../exclusive.ts'
import type { Codec, Member } from './codec.ts'

/** A lowered schema with its codec: one interpretation of an answer. */
export interface Reading {
  readonly schema: Schema
  readonly value: Codec | undefined
}

/** Returns a lowered definition; undefined while it is being lowered. */
export type FindReading = (name: string) => Reading | undefined

/**
 * True if some answer may fit two of the readings and mean different things in them: `"[1]"` is a string in `{ body: string }` and
 * an array in `{ body: unknown }`, where unknown values are sent as JSON text. The union then has to be sent in another form. Errs
 * on the side of true.
 */
export function areAmbiguous(readings: readonly Reading[], find: FindReading): boolean {
  const all = readings.flatMap(alternatives)
  // Readings that change no value agree.
  if (all.every(({ value }) => isIdentity(value))) return false
  return parted(all).some((part) => {
    const comparison = new Comparison(find)
    return part.some((left, index) => part.slice(index + 1).some((right) => comparison.differ(left, right)))
  })
}

/** Returns the branches of a reading that is itself a union. */
function alternatives({ schema, value }: Reading): readonly Reading[] {
  if (value?.kind === 'union') return value.branches.flatMap(alternatives)
  if (value?.kind === 'ref' || typeof schema === 'boolean' || !schema.anyOf) return [{ schema, value }]
  return schema.anyOf.flatMap((branch) => alternatives({ schema: branch, value }))
}

/**
 * Parts readings by their types, and by properties that all require with fixed values: no answer fits readings of two parts. In
 * a composed schema, only those of one Tool stay together, whose parameters may be a union.
 */
function parted(readings: readonly Reading[]): readonly (readonly Reading[])[] {
  const [first] = readings
  const names = first && typeof first.schema === 'object' ? (first.schema.required ?? []) : []
  for (const name of [undefined, ...names]) {
    const parts = partedBy(readings, name)
    if (parts.length > 1) return parts.flatMap(parted)
  }
  return [readings]
}

/** Readings that stay together, and what they can have as their tag. */
interface ReadingsPart {
  readonly tags: unknown[]
  readonly readings: Reading[]
}

/** Parts readings by the values that one property, or without a name the type, can have: those that share one stay together. */
function partedBy(readings: readonly Reading[], name: string | undefined): readonly (readonly Reading[])[] {
  const parts = new Map<unknown, ReadingsPart>()
  for (const reading of readings) {
    const tags = tagsOf(reading, name)
    if (tags.length === 0 || tags.includes(undefined)) return [readings]
    let part: ReadingsPart = { tags: [], readings: [reading] }
    for (const tag of tags) {
      const other = parts.get(tag) ?? { tags: [tag], readings: [] }
      if (other === part) continue
      const [few, many] = other.readings.length < part.readings.length ? [other, part] : [part, other]
      for (const each of few.readings) many.readings.push(each)
      for (const each of few.tags) {
        many.tags.push(each)
        parts.set(each, many)
      }
      part = many
    }
  }
  return Array.from(new Set(parts.values()), (part) => part.readings)
}

/** Returns the texts that a required property can be, or without a name the types; undefined for what can be anything else. */
function tagsOf({ schema }: Reading, name: string | undefined): readonly unknown[] {
  if (typeof schema === 'boolean') return [undefined]
  if (name === undefined) return [schema.type].flat().map((type) => (type === 'integer' ? 'number' : type))
  const tag = schema.type === 'object' && schema.required?.includes(name) && schema.properties?.[name]
  if (!isJsonObject(tag)) return [undefined]
  const { enum: tags = [tag.const] } = tag
  return (tags as unknown[]).map((value) => (typeof value === 'string' ? value : undefined))
}

/** Restoring capitals never turns one fixed value into another, since an exact match takes precedence. */
function isIdentity(codec: Codec | undefined): boolean {
  return codec === undefined || codec.kind === 'capitals'
}

/** Most pairs that are compared, since nested unions multiply them; beyond that, readings count as ambiguous. */
const mostComparisons = 2000

/** Compares readings pairwise, and tracks the pairs of definitions whose comparison is in progress. */
class Comparison {
  readonly #find: FindReading
  readonly #underWay = new Set<string>()
  #left = mostComparisons

  constructor(find: FindReading) {
    this.#find = find
  }

  /** True if some answer may fit both and mean different things. */
  differ(left: Reading, right: Reading): boolean {
    if (--this.#left < 0) return true
    const [a, b] = [alternatives(left), alternatives(right)]
    if (a.length > 1 || b.length > 1) return a.some((one) => b.some((other) => this.differ(one, other)))
    if (left.value === right.value || (isIdentity(left.value) && isIdentity(right.value))) return false
    if (this.#isExclusive(left.schema, right.schema)) return false
    if (left.value?.kind === 'ref' || right.value?.kind === 'ref') return this.#throughReferences(left, right)
    return (['string', 'array', 'object'] as const).some((type) => {
      const [mine, theirs] = [codecFor(type, left.value), codecFor(type, right.value)]
      if (mine === undefined && theirs === undefined) return false
      if (!this.#accepts(left.schema, type) || !this.#accepts(right.schema, type)) return false
      return this.#differBy({ ...left, value: mine }, { ...right, value: theirs })
    })
  }

  #differBy(left: Reading, right: Reading): boolean {
    const [a, b] = [left.value, right.value]
    const kinds = [a?.kind, b?.kind]
    if (kinds.every((kind) => kind === 'json')) return false
    if (a?.kind === 'entries' && b?.kind === 'entries') {
      return this.differ(entryReading(left.schema, a.value), entryReading(right.schema, b.value))
    }
    if (kinds.some((kind) => kind === 'json' || kind === 'entries' || kind === 'wrapped')) return true
    if (kinds.every((kind) => kind === 'tuple')) return this.#membersDiffer(left, right)
    if (kinds.includes('tuple')) return true
    if (kinds.includes('array') || kinds.includes('prefix')) return this.#itemsDiffer(left, right)
    return this.#membersDiffer(left, right)
  }

  #throughReferences(left: Reading, right: Reading): boolean {
    const [mine, theirs] = [left, right].map(({ value }) => (value?.kind === 'ref' ? value.name : ''))
    if (mine === theirs) return false
    const pair = `${mine}\n${theirs}\n${mine && theirs ? '' : JSON.stringify(mine ? right.schema : left.schema)}`
    // A difference shows at a finite depth, so the same pair need not be compared again within itself.
    if (this.#underWay.has(pair)) return false
    const [a, b] = [this.#resolved(left), this.#resolved(right)]
    if (!a || !b) return true
    this.#underWay.add(pair)
    const differ = this.differ(a, b)
    this.#underWay.delete(pair)
    return differ
  }

  /** Resolves a definition; undefined while it is being lowered, since its codec is not known yet. */
  #resolved(reading: Reading): Reading | undefined {
    return reading.value?.kind === 'ref' ? this.#find(reading.value.name) : reading
  }

  #itemsDiffer(left: Reading, right: Reading): boolean {
    const length = Math.max(prefixLength(left), prefixLength(right))
    for (let index = 0; index <= length; index++) {
      if (this.differ(itemReading(left, index), itemReading(right, index))) return true
    }
    return false
  }

  #membersDiffer(left: Reading, right: Reading): boolean {
    const names = new Set([left, right].flatMap(({ schema }) => Object.keys(propertiesOf(schema))))
    for (const name of names) {
      const [mine, theirs] = [memberOf(left, name), memberOf(right, name)]
      // One side is closed: no answer that fits both has the property.
      if (!mine || !theirs) continue
      if (mine.isRest !== theirs.isRest) return true
      if (this.#absencesDiffer(mine, theirs) || this.differ(mine, theirs)) return true
    }
    return this.differ(additionalReading(left), additionalReading(right))
  }

  /** True if the stand-in for an absent value on one side is a real value on the other. */
  #absencesDiffer(left: MemberReading, right: MemberReading): boolean {
    if (left.absent === right.absent) return false
    return [left, right].some(({ absent }, index) => {
      const other = index === 0 ? right : left
      return absent !== undefined && this.#accepts(other.schema, absent === 'null' ? 'null' : 'object')
    })
  }

  #isExclusive(left: Schema, right: Schema): boolean {
    return isExclusive(left, right, (name) => {
      const target = this.#find(name)?.schema
      return isJsonObject(target) ? target : undefined
    })
  }

  #accepts(schema: Schema, type: string): boolean {
    return !this.#isExclusive(schema, { type })
  }
}

/** Returns the part of a codec that applies to values of one type; undefined if it does not change them. */
function codecFor(type: 'string' | 'array' | 'object', codec: Codec | undefined): Codec | undefined {
  return codec && affected[codec.kind] === type ? codec : undefined
}

const affected: Readonly<Record<Codec['kind'], 'string' | 'array' | 'object' | undefined>> = {
  object: 'object',
  array: 'array',
  prefix: 'array',
  tuple: 'object',
  entries: 'array',
  json: 'string',
  union: undefined,
  ref: undefined,
  wrapped: 'object',
  capitals: undefined,
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return typeof schema === 'boolean' ? {} : (schema.properties ?? {})
}

interface MemberReading extends Reading {
  readonly absent: Member['absent']
  /** The property that contains the free keys. */
  readonly isRest: boolean
}

/** Returns the reading of one property; undefined if the property is not allowed. */
function memberOf(reading: Reading, name: string): MemberReading | undefined {
  const { schema, value } = reading
  const declared = propertiesOf(schema)[name]
  if (declared === undefined) {
    const other = additionalReading(reading)
    return other.schema === false ? undefined : { ...other, absent: undefined, isRest: false }
  }
  const plain = { schema: declared, absent: undefined, isRest: false }
  if (value?.kind === 'object') {
    if (name === value.rest?.name) {
      return { ...plain, value: { kind: 'entries', value: value.rest.value }, isRest: true }
    }
    const member = value.members.get(name)
    return { ...plain, value: member?.value, absent: member?.absent }
  }
  if (value?.kind === 'tuple') {
    const item = value.items.find((each) => each.name === name)?.member
    const rest = name === value.rest?.name ? value.rest.value : undefined
    return { ...plain, value: item?.value ?? (rest && { kind: 'array', items: rest }), absent: item?.absent }
  }
  return { ...plain, value: undefined }
}

function additionalReading({ schema, value }: Reading): Reading {
  const additional = typeof schema === 'boolean' ? true : (schema.additionalProperties ?? true)
  return { schema: additional, value: value?.kind === 'object' ? value.additional : undefined }
}

function prefixLength({ schema }: Reading): number {
  return typeof schema === 'boolean' ? 0 : (schema.prefixItems?.length ?? 0)
}

function itemReading({ schema, value }: Reading, index: number): Reading {
  const { prefixItems = [], items = true } = typeof schema === 'boolean' ? {} : schema
  const rest = Array.isArray(items) ? true : items
  const codec =
    value?.kind === 'array'
      ? value.items
      : value?.kind === 'prefix'
        ? index < value.items.length
          ? value.items[index]
          : value.rest
        : undefined
  return { schema: prefixItems[index] ?? rest, value: codec }
}

/** Returns the reading of the values of a record sent as a list of `{ key, value }`. */
function entryReading(schema: Schema, value: Codec | undefined): Reading {
  const items = typeof schema === 'boolean' ? undefined : schema.items
  const entry = isJsonObject(items) ? (items as JsonSchema).properties?.value : undefined
  return { schema: entry ?? true, value }
}
