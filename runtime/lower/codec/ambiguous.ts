import { isJsonObject } from '../../json/json.ts'
import type { JsonSchema, Schema } from '../../schema/schema.ts'
import { isExclusive } from '../exclusive.ts'
import type { Codec, Member } from './codec.ts'

/** A lowered schema with its codec: one way to read an answer. */
export interface Reading {
  readonly schema: Schema
  readonly value: Codec | undefined
}

/** Finds a definition as far as it has been lowered. */
export type FindReading = (name: string) => Reading | undefined

/**
 * True when some answer may fit two of the readings and mean different things in them: `"[1]"` is a string in
 * `{ body: string }` and a list in `{ body: unknown }`, where unknown values go as JSON text. Then nobody can say which
 * was meant, and the union has to go another way. Errs on the side of true.
 */
export function areAmbiguous(readings: readonly Reading[], find: FindReading): boolean {
  const all = readings.flatMap(alternatives)
  // Readings that change no value agree. A tag tells the Tools of a composed schema apart, a thousand of them at once.
  if (all.every(({ value }) => isIdentity(value)) || areTagged(all)) return false
  const comparison = new Comparison(find)
  return all.some((left, index) => all.slice(index + 1).some((right) => comparison.differ(left, right)))
}

/** The branches of a reading that is a union itself. */
function alternatives({ schema, value }: Reading): readonly Reading[] {
  if (value?.kind === 'union') return value.branches.flatMap(alternatives)
  if (value?.kind === 'ref' || typeof schema === 'boolean' || !schema.anyOf) return [{ schema, value }]
  return schema.anyOf.flatMap((branch) => alternatives({ schema: branch, value }))
}

/** True when all require one property that is fixed to another value in each. */
function areTagged(readings: readonly Reading[]): boolean {
  const tagOf = ({ schema }: Reading, name: string): unknown => {
    if (typeof schema === 'boolean' || schema.type !== 'object' || !schema.required?.includes(name)) return
    const tag = schema.properties?.[name]
    if (!isJsonObject(tag)) return undefined
    return tag.const ?? (Array.isArray(tag.enum) && tag.enum.length === 1 ? tag.enum[0] : undefined)
  }
  const [first] = readings
  const names = first && typeof first.schema === 'object' ? (first.schema.required ?? []) : []
  return names.some((name) => {
    const tags = new Set(
      readings.map((reading) => tagOf(reading, name)).filter((tag) => typeof tag === 'string'),
    )
    return tags.size === readings.length
  })
}

/** Restored capitals never turn one fixed value into another: an exact match goes first. */
function isIdentity(codec: Codec | undefined): boolean {
  return codec === undefined || codec.kind === 'capitals'
}

/** Readings whose members are unions in turn are compared each with each; after so many, they count as ambiguous. */
const mostComparisons = 2000

/** Compares readings pair by pair, and remembers the pairs of definitions that it is in the middle of. */
class Comparison {
  readonly #find: FindReading
  readonly #underWay = new Set<string>()
  #left = mostComparisons

  constructor(find: FindReading) {
    this.#find = find
  }

  /** True when some answer may fit both and mean different things. */
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
    // A difference shows at a finite depth, so meeting the same pair again adds nothing.
    if (this.#underWay.has(pair)) return false
    const [a, b] = [this.#resolved(left), this.#resolved(right)]
    if (!a || !b) return true
    this.#underWay.add(pair)
    const differ = this.differ(a, b)
    this.#underWay.delete(pair)
    return differ
  }

  /** A definition that is still being lowered gives undefined: nobody knows yet what it will do to values. */
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
      // Closed on one side: no answer that fits both has the property.
      if (!mine || !theirs) continue
      if (mine.isRest !== theirs.isRest) return true
      if (this.#absencesDiffer(mine, theirs) || this.differ(mine, theirs)) return true
    }
    return this.differ(additionalReading(left), additionalReading(right))
  }

  /** True when what stands for an absent value on one side is a value of its own on the other. */
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

/** What a codec does to values of one type; undefined where it leaves them alone. */
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
  /** The property that carries free keys. */
  readonly isRest: boolean
}

/** How one property is read; undefined where it may not be there. */
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

/** The values of a record that goes as a list of `{ key, value }`. */
function entryReading(schema: Schema, value: Codec | undefined): Reading {
  const items = typeof schema === 'boolean' ? undefined : schema.items
  const entry = isJsonObject(items) ? (items as JsonSchema).properties?.value : undefined
  return { schema: entry ?? true, value }
}
