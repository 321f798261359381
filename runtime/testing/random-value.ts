import { interpretCheck } from '../check-tree/interpret.ts'
import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { referencePattern } from '../schema/reference-pattern.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { patternText } from './pattern-text.ts'
import type { RandomSource } from './random-source.ts'

/** Most attempts to find a value for keywords that conflict. */
const tries = 200
/** Most values and characters that are made in all tries, and deepest value: a schema can ask for more than fits into memory. */
const mostParts = 2_000_000
const deepest = 400
/** Most characters of a text beyond those that it needs. */
const longest = 1_000
/**
 * Where a value has this many repeated definitions around it, levels above it, or parts, the simplest branch is chosen for what is
 * left of it, so that recursive values end. A Call in an answer is some levels deep already.
 */
const enough = { repeats: 2, levels: 24, parts: 2_000 } as const

/**
 * Generates a value that is valid under a schema; the same for the same random numbers.
 *
 * @throws Error if none is found: the schema allows no value, too few to be found by chance, or only larger or deeper ones than
 * are made.
 */
export function randomValue(schema: JsonSchema, random: RandomSource): unknown {
  const check = interpretCheck(schema)
  const maker = new ValueMaker(schema, random)
  for (let left = tries; left > 0; left--) {
    const value = maker.begin()
    if (check(value)) return value
  }
  throw new Error(
    `No value of this schema was found in ${tries} tries: ${JSON.stringify(schema).slice(0, 200)}`,
  )
}

/** Generators for formats; others get a word. */
const formats: Readonly<Record<string, (random: RandomSource) => string>> = {
  'date-time': (random) =>
    `20${two(random, 10, 30)}-${two(random, 1, 12)}-${two(random, 1, 28)}T${time(random)}Z`,
  date: (random) => `20${two(random, 10, 30)}-${two(random, 1, 12)}-${two(random, 1, 28)}`,
  time: (random) => `${time(random)}Z`,
  duration: (random) => `P${random.between(1, 9)}D`,
  email: (random) => `${word(random, 1, 8)}@example.com`,
  hostname: (random) => `${word(random, 1, 8)}.example.com`,
  ipv4: (random) => Array.from({ length: 4 }, () => random.between(0, 255)).join('.'),
  ipv6: (random) => Array.from({ length: 8 }, () => random.between(0, 65_535).toString(16)).join(':'),
  uuid: (random) =>
    'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => random.between(0, 15).toString(16)),
  uri: (random) => `https://example.com/${word(random, 1, 8)}`,
  'json-pointer': (random) => `/${word(random, 1, 8)}`,
  regex: (random) => `^${word(random, 1, 4)}$`,
}

class ValueMaker {
  readonly #root: JsonSchema
  readonly #random: RandomSource
  #parts = 0
  #partsBefore = 0
  /** The definitions around the value that is made. */
  readonly #around: string[] = []

  constructor(root: JsonSchema, random: RandomSource) {
    this.#root = root
    this.#random = random
  }

  /** Makes a value of the whole schema. */
  begin(): unknown {
    this.#partsBefore = this.#parts
    return this.#make(this.#root, 0)
  }

  #make(schema: Schema, depth: number): unknown {
    this.#count(1)
    if (depth > deepest) throw new Error(`The schema asks for a value of more than ${deepest} levels.`)
    if (typeof schema === 'boolean') return schema ? this.#random.pick([null, true, 1, 'text']) : null
    const { $ref, anyOf, oneOf, allOf, ...rest } = schema
    if ($ref !== undefined) {
      const target = this.#root.$defs?.[definitionName($ref) ?? ''] ?? true
      this.#around.push($ref)
      const value = this.#make(merged(target, rest), depth + 1)
      this.#around.pop()
      return value
    }
    const branches = (anyOf ?? oneOf)?.filter(
      (branch, _, all) => all.length === 1 || !this.#isReference(branch),
    )
    if (branches) return this.#make(merged(this.#branch(branches, depth), rest), depth + 1)
    if (allOf)
      return this.#make(
        allOf.reduce<Schema>((all, part) => merged(this.#resolved(part), all), rest),
        depth + 1,
      )
    if (Object.hasOwn(schema, 'const')) return schema.const
    if (schema.enum) return this.#random.pick(schema.enum)
    return this.#ofType(schema, depth)
  }

  /** Counts what is made, before it is: the values of a list, or the characters of a text. */
  #count(parts: number): void {
    this.#parts += parts
    if (this.#parts > mostParts) throw new Error('The schema asks for a value that is too large to make.')
  }

  #resolved(schema: Schema): Schema {
    if (typeof schema === 'boolean' || schema.$ref === undefined) return schema
    return this.#root.$defs?.[definitionName(schema.$ref) ?? ''] ?? true
  }

  /** Never generates References: this model knows no state. */
  #isReference(branch: Schema): boolean {
    const schema = this.#resolved(branch)
    return typeof schema === 'object' && schema.type === 'string' && schema.pattern === referencePattern
  }

  #isEnough(depth: number): boolean {
    const repeats = this.#around.length - new Set(this.#around).size
    return (
      repeats >= enough.repeats || depth >= enough.levels || this.#parts - this.#partsBefore > enough.parts
    )
  }

  #branch(branches: readonly Schema[], depth: number): Schema {
    if (!this.#isEnough(depth)) return this.#random.pick(branches)
    const bySize = [...branches].sort((left, right) => this.#reach(left) - this.#reach(right))
    return bySize[0] ?? true
  }

  /** Estimates the complexity of a schema: references count more, otherwise the length of its text. */
  #reach(schema: Schema): number {
    const text = JSON.stringify(schema)
    return text.length + (text.includes('"$ref"') ? 100_000 : 0)
  }

  #ofType(schema: JsonSchema, depth: number): unknown {
    const { pattern } = schema
    if (typeof pattern === 'string' && pattern.startsWith(`${referencePattern}|`)) {
      return this.#ofType({ ...schema, pattern: pattern.slice(referencePattern.length + 1) }, depth)
    }
    const type = Array.isArray(schema.type) ? this.#random.pick(ownTypes(schema.type, schema)) : schema.type
    switch (type ?? impliedType(schema)) {
      case 'null':
        return null
      case 'boolean':
        return this.#random.chance(0.5)
      case 'integer':
        return this.#number(schema, 1)
      case 'number':
        return this.#number(schema, 0.25)
      case 'string':
        return this.#string(schema)
      case 'array':
        return this.#array(schema, depth)
      default:
        return this.#object(schema, depth)
    }
  }

  #number(schema: JsonSchema, grain: number): number {
    const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema as Record<
      string,
      number | undefined
    >
    const step = multipleOf ?? grain
    const least = Math.ceil(Math.max(minimum ?? -1e15, (exclusiveMinimum ?? -1e15) + step / 2) / step)
    const most = Math.floor(Math.min(maximum ?? 1e15, (exclusiveMaximum ?? 1e15) - step / 2) / step)
    const start = minimum === undefined && exclusiveMinimum === undefined ? Math.min(0, most) : least
    const steps = this.#random.between(start, Math.max(start, Math.min(most, start + 40)))
    // Division is exact where multiplying by 0.1 is not.
    return step < 1 ? steps / Math.round(1 / step) : steps * step
  }

  #string({ pattern, format, minLength, maxLength }: JsonSchema): string {
    const least = Number(minLength ?? 0)
    const most = Math.min(Number(maxLength ?? least + 12), least + longest)
    this.#count(least)
    if (typeof pattern === 'string') {
      const text = patternText(pattern, this.#random)
      // A pattern that is not anchored allows any text at its ends.
      const missing = least - text.length
      return missing > 0 && !pattern.endsWith('$') ? text + word(this.#random, missing, missing) : text
    }
    if (typeof format === 'string' && Object.hasOwn(formats, format)) {
      return (formats[format] as (random: RandomSource) => string)(this.#random)
    }
    return word(this.#random, least, Math.max(least, most))
  }

  #array(schema: JsonSchema, depth: number): unknown[] {
    const { prefixItems = [], items = true, minItems, maxItems } = schema
    const first = prefixItems.map((item) => this.#make(item, depth + 1))
    if (items === false) return first
    const least = Math.max(0, Number(minItems ?? 0) - first.length)
    const usual = this.#isEnough(depth) ? least : least + 2
    const most = Math.max(least, Math.min(usual, Number(maxItems ?? usual) - first.length))
    const item = Array.isArray(items) ? true : items
    this.#count(least)
    const rest = Array.from({ length: this.#random.between(least, most) }, () => this.#make(item, depth + 1))
    return [...first, ...rest]
  }

  #object(schema: JsonSchema, depth: number): JsonObject {
    const { properties = {}, required = [], additionalProperties, minProperties } = schema
    const names = [...new Set([...Object.keys(properties), ...required])]
    const isEnough = this.#isEnough(depth)
    const chosen = names.filter((name) => required.includes(name) || (!isEnough && this.#random.chance(0.6)))
    const members = chosen.map((name) => [name, this.#make(properties[name] ?? true, depth + 1)] as const)
    const missing = Number(minProperties ?? 0) - members.length
    const more = isJsonObject(additionalProperties) && !isEnough ? this.#random.between(0, 2) : 0
    const count = Math.max(missing, more, 0)
    this.#count(count)
    const added = Array.from({ length: count }, (_, index) => {
      const value = this.#make((additionalProperties as Schema | undefined) ?? true, depth + 1)
      return [`${word(this.#random, 3, 6)}${index}`, value] as const
    })
    return Object.fromEntries([...members, ...added])
  }
}

/** Combines two schemas by overlaying them, which is an approximation; the check decides. */
function merged(base: Schema, over: Schema): Schema {
  if (typeof base === 'boolean') return base ? over : base
  if (typeof over === 'boolean') return over ? base : over
  const properties = { ...base.properties, ...over.properties }
  const required = [...new Set([...(base.required ?? []), ...(over.required ?? [])])]
  return {
    ...base,
    ...over,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
}

function impliedType(schema: JsonSchema): string {
  if (schema.prefixItems || schema.items !== undefined || schema.minItems !== undefined) return 'array'
  if (schema.pattern !== undefined || schema.minLength !== undefined || schema.format !== undefined)
    return 'string'
  return schema.minimum !== undefined || schema.maximum !== undefined ? 'number' : 'object'
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']

function word(random: RandomSource, least: number, most: number): string {
  const length = random.between(least, most)
  return Array.from({ length }, () => random.pick(letters)).join('')
}

function two(random: RandomSource, least: number, most: number): string {
  return String(random.between(least, most)).padStart(2, '0')
}

function time(random: RandomSource): string {
  return `${two(random, 0, 23)}:${two(random, 0, 59)}:${two(random, 0, 59)}`
}

/** Returns the types of a parameter without `string`, if its strings are References only. */
function ownTypes(types: readonly string[], { pattern }: JsonSchema): readonly string[] {
  const own = types.filter((type) => type !== 'string')
  return pattern === referencePattern && own.length > 0 ? own : types
}
