import { isJsonObject, type JsonObject } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import type { StandIn } from '../lower/losses.ts'
import type { LoweredSchema } from '../lower/lower.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'

const longest = 64
const plain = /^[a-zA-Z0-9_.-]{1,64}$/

/** A schema of parameters under plain names, and how each name that was declared is sent. */
interface PlainParameters {
  readonly schema: JsonSchema
  readonly sentAs: ReadonlyMap<string, string>
}

/**
 * Renames the parameters of a Tool to plain characters: because of one `$top` or `filter[id]`, a provider refuses the whole list of
 * tools. Only applies to parameters, not to nested properties.
 */
export function plainParameters(schema: JsonSchema): PlainParameters {
  const { properties = {}, required } = schema
  const sentAs = plainNames(Object.keys(properties))
  if (sentAs.size === 0) return { schema, sentAs }
  const told = Object.entries(properties).map(([name, property]): [string, Schema] => [
    name,
    sentAs.has(name) ? called(name, property) : property,
  ])
  return {
    schema: {
      ...schema,
      properties: renamed(Object.fromEntries(told), sentAs),
      ...(required && { required: required.map((name) => sentAs.get(name) ?? name) }),
    },
    sentAs,
  }
}

/** Renames the parameters of a Tool, as {@link plainParameters} does, and converts answers back. */
export function withPlainNames(lowered: LoweredSchema, tool: string): LoweredSchema {
  const { schema, sentAs } = plainParameters(lowered.schema)
  if (sentAs.size === 0) return lowered
  const standIns = Array.from(sentAs.keys(), (name): StandIn => {
    return { dialect: lowered.dialect, tool, pointer: `/properties/${pointerSegment(name)}`, kind: 'renamed' }
  })
  return {
    ...lowered,
    schema,
    lift: (value) => lowered.lift(isJsonObject(value) ? withDeclaredNames(value, sentAs) : value),
    toLowered(value) {
      const written = lowered.toLowered(value)
      return isJsonObject(written) ? renamed(written, sentAs) : written
    },
    standIns: [...lowered.standIns, ...standIns],
  }
}

/** Gives arguments the names that their Tool declares. */
export function withDeclaredNames(given: JsonObject, sentAs: ReadonlyMap<string, string>): JsonObject {
  return renamed(given, new Map(Array.from(sentAs, ([declared, sent]) => [sent, declared])))
}

/** Returns a new name for each name that is not plain. */
function plainNames(names: readonly string[]): Map<string, string> {
  const taken = new Set(names)
  const sentAs = new Map<string, string>()
  for (const name of names) {
    if (plain.test(name)) continue
    const form = name.replace(/[^a-zA-Z0-9_.-]/g, '_') || '_'
    let sent = form.slice(0, longest)
    for (let count = 2; taken.has(sent); count++) {
      const end = `_${count}`
      sent = form.slice(0, longest - end.length) + end
    }
    taken.add(sent)
    sentAs.set(name, sent)
  }
  return sentAs
}

/**
 * Adds the declared name, which descriptions and errors use, to the description. Not all providers accept a description
 * next to `$ref`.
 */
function called(name: string, schema: Schema): Schema {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return schema
  const said = `Called ${JSON.stringify(name)}.`
  return { ...schema, description: schema.description === undefined ? said : `${said} ${schema.description}` }
}

function renamed<Value>(value: Readonly<Record<string, Value>>, names: ReadonlyMap<string, string>) {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [names.get(name) ?? name, each]))
}
