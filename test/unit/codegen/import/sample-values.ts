import { isJsonObject } from '../../../../runtime/json/json.ts'
import type { Schema } from '../../../../runtime/schema/schema.ts'

/** Numbers from 0 to below 1 that depend on the seed alone. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e6,
  '',
  'x',
  'a\nb',
  [],
  [1, 'x'],
  {},
  { '': 0 },
  { x: null },
]

/** A value that is likely valid: good aim is enough, since tests compare validators with each other. */
export function likelyValid(schema: Schema, random: () => number, root: Schema = schema, depth = 0): unknown {
  if (typeof schema === 'boolean' || depth > 8) return pick(odd, random)
  const next = (inner: Schema): unknown => likelyValid(inner, random, root, depth + 1)
  if ('const' in schema) return schema.const
  if (schema.enum) return pick(schema.enum, random)
  if (schema.$ref && isJsonObject(root)) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    const definitions = { ...(root.definitions as object), ...root.$defs } as Record<string, Schema>
    return next(definitions[name] ?? (schema.$ref === '#' ? root : true))
  }
  const choice = schema.anyOf ?? schema.oneOf
  const type = Array.isArray(schema.type) ? pick(schema.type, random) : (schema.type ?? guessType(schema))
  if (choice && type !== 'object') return next(pick(choice, random))
  if (type === undefined && schema.allOf) return Object.assign({}, ...schema.allOf.map(next))
  switch (type) {
    case 'object': {
      const names = Object.keys(schema.properties ?? {})
      const kept = names.filter((name) => schema.required?.includes(name) || random() < 0.6)
      const entries = kept.map((name): [string, unknown] => [name, next(schema.properties?.[name] ?? true)])
      if (random() < 0.3 || names.length === 0) {
        const [pattern, value] = Object.entries(schema.patternProperties ?? {})[0] ?? []
        const key =
          pattern?.replace(/[\^$]/g, '').slice(0, 3) ?? pick(['extra', 'a\nb', '__proto__', 'x1'], random)
        entries.push([key, next(value ?? schema.additionalProperties ?? true)])
      }
      const extra = choice ? next(pick(choice, random)) : {}
      return { ...Object.fromEntries(entries), ...(isJsonObject(extra) ? extra : {}) }
    }
    case 'array': {
      const fixed = (schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : [])).map(next)
      const item = Array.isArray(schema.items) ? (schema.additionalItems ?? true) : (schema.items ?? true)
      const more = Math.max(
        0,
        Math.min(
          (schema.maxItems as number) ?? 3,
          Math.floor(random() * 3) + ((schema.minItems as number) ?? 0),
        ) - fixed.length,
      )
      return [...fixed, ...(item === false ? [] : Array.from({ length: more }, () => next(item)))]
    }
    case 'string':
      return (
        pick(
          ['x', 'some text', 'a@b.co', '2026-03-04', 'abc-123', 'https://example.com', ''].filter(
            (one) => one.length >= ((schema.minLength as number) ?? 0),
          ),
          random,
        ) ?? 'x'
      )
    case 'integer':
    case 'number': {
      const low = (schema.minimum ?? schema.exclusiveMinimum ?? -2) as number
      const value = low + Math.floor(random() * 4) * ((schema.multipleOf as number) ?? 1)
      return type === 'number' && random() < 0.3 ? value + 0.5 : value
    }
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    default:
      return pick(odd, random)
  }
}

/** The value with one thing changed somewhere in it. */
export function mutated(value: unknown, random: () => number): unknown {
  if (Array.isArray(value) && value.length > 0 && random() < 0.8) {
    const at = Math.floor(random() * value.length)
    if (random() < 0.3) return value.filter((_, index) => index !== at)
    return value.map((item, index) => (index === at ? mutated(item, random) : item))
  }
  if (isJsonObject(value) && random() < 0.9) {
    const entries = Object.entries(value)
    const at = Math.floor(random() * (entries.length + 1))
    if (at === entries.length)
      return Object.fromEntries([
        ...entries,
        [pick(['extra', 'y', 'hasOwn', 'a\nb'], random), pick(odd, random)],
      ])
    if (random() < 0.3) return Object.fromEntries(entries.filter((_, index) => index !== at))
    return Object.fromEntries(
      entries.map(([key, member], index) => [key, index === at ? mutated(member, random) : member]),
    )
  }
  return pick(odd, random)
}

function guessType(schema: Exclude<Schema, boolean>): string | undefined {
  if (schema.properties || schema.patternProperties || schema.required) return 'object'
  return schema.prefixItems || schema.items !== undefined ? 'array' : undefined
}

function pick<Value>(values: readonly Value[], random: () => number): Value {
  return values[Math.floor(random() * values.length)] as Value
}
