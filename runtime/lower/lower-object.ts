import { pointerSegment } from '../json/json-pointer.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { applyKeywords } from './apply-keywords.ts'
import type { Codec, Member, ObjectCodec } from './codec/codec.ts'
import { type FreeKeys, freeKeys } from './free-keys.ts'
import { jsonText } from './json-text.ts'
import type { Lowered, Lowering, Place } from './lowering.ts'
import { matches } from './matches.ts'
import { optionalForm } from './nullable.ts'

const settled = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
]

/** Lowers an object: its properties, and its constraints on undeclared ones. */
export function lowerObject(node: JsonSchema, place: Place, lowering: Lowering): Lowered | undefined {
  const names = [...Object.keys(node.properties ?? {}), ...(node.required ?? [])]
  if (lowering.dialect.names === 'unescaped') {
    const escaped = names.find(isEscaped)
    if (escaped !== undefined) return withEscapedName(node, escaped, lowering)
  }
  // An object that lists no names, such as `Type.Object({})`, is any object. The root stays an object.
  const isFree =
    names.length === 0 &&
    (node.properties === undefined || lowering.origins.place(node)) &&
    node.patternProperties === undefined
  if (isFree && (node.additionalProperties ?? true) === true && node.propertyNames === undefined) {
    return freeObject(node, lowering)
  }
  const named = lowerProperties(node, place, lowering)
  const others = named && freeKeys(node, place, lowering)
  if (!named) return undefined
  const { members, properties, required } = named
  // Nothing keeps a model from writing an impossible property, which is left out, among the undeclared ones.
  if (others && Object.keys(node.properties ?? {}).some((name) => !members.has(name))) {
    lowering.lose(node, 'properties', 'approximated')
  }
  if (others && properties.size === 0 && lowering.dialect.records === 'entries') {
    return entries(node, others, lowering)
  }

  // `propertyNames` is described in words, unless the keys are sent in a list of entries.
  const said = others ? settled : settled.filter((keyword) => keyword !== 'propertyNames')
  const schema: JsonSchema = { type: 'object', ...applyKeywords(node, said, lowering) }
  const value: { -readonly [Key in keyof ObjectCodec]: ObjectCodec[Key] } = { kind: 'object', members }
  let changes = [...members.values()].some(
    (member) => member.value !== undefined || member.absent !== undefined,
  )
  if (others && lowering.dialect.records === 'entries') {
    const name = unusedName('additionalProperties', properties)
    properties.set(name, entryList(others, lowering, { description: 'Further properties.' }))
    required.push(name)
    value.rest = { name, value: others.value.value }
    lowering.standIn(node, 'rest')
    changes = true
  } else if (others) {
    value.additional = others.value.value
    changes ||= others.value.value !== undefined
  }
  schema.properties = Object.fromEntries(properties)
  if (properties.size === 0 && others) delete schema.properties
  else schema.required = required
  schema.additionalProperties = others && !value.rest ? others.value.schema : false
  return { schema, value: changes ? value : undefined }
}

function isEscaped(name: string): boolean {
  return JSON.stringify(name).length !== name.length + 2
}

/** A branch must stay an object, since its first property names the Tool. */
function withEscapedName(node: JsonSchema, name: string, lowering: Lowering): Lowered {
  if (lowering.branchTool(node) === undefined) return jsonText(node, lowering)
  return lowering.refuse(
    node,
    'parameter names without quotes, backslashes and line breaks',
    JSON.stringify(name),
  )
}

/** Lowers an object without declared properties. There is no property to put its content in. */
function freeObject(node: JsonSchema, lowering: Lowering): Lowered {
  if (lowering.dialect.untyped === 'json') return jsonText(node, lowering)
  // Set explicitly, since engines treat an object without it as closed.
  const schema = { type: 'object', ...applyKeywords(node, settled, lowering), additionalProperties: true }
  return { schema, value: undefined }
}

interface NamedProperties {
  readonly members: Map<string, Member>
  readonly properties: Map<string, Schema>
  readonly required: string[]
}

function lowerProperties(node: JsonSchema, place: Place, lowering: Lowering): NamedProperties | undefined {
  const named: NamedProperties = { members: new Map(), properties: new Map(), required: [] }
  const mustBe = new Set(node.required)
  for (const [name, declared] of declaredProperties(node, lowering)) {
    const isRequired = mustBe.has(name)
    const inner = { ...place, optional: place.optional || !isRequired }
    const lowered = lowerProperty(name, declared, node, inner, lowering)
    if (!lowered) {
      if (isRequired) return undefined
      continue
    }
    const asNullable = !isRequired && lowering.dialect.optional === 'nullable'
    const form = asNullable ? optionalForm(declared, lowered, lowering) : undefined
    named.properties.set(name, form?.schema ?? lowered.schema)
    named.members.set(name, { value: lowered.value, ...(form && { absent: form.absent }) })
    if (isRequired || asNullable) named.required.push(name)
  }
  return named
}

/** Returns the properties by name, including those that are only listed in `required`. */
function declaredProperties(node: JsonSchema, lowering: Lowering): [string, JsonSchema][] {
  const { properties = {}, patternProperties = {}, additionalProperties } = node
  const place = lowering.origins.place(node)
  const undeclared = (node.required ?? []).filter((name) => !Object.hasOwn(properties, name))
  const declared = Object.entries(properties) as [string, JsonSchema][]
  for (const name of undeclared) {
    const byPattern = Object.keys(patternProperties).some((pattern) => matches(pattern, name))
    const other = byPattern ? undefined : additionalProperties
    const schema = typeof other === 'object' ? other : (other ?? true)
    declared.push([
      name,
      typeof schema === 'object'
        ? schema
        : lowering.origins.locate(schema, `${place}/properties/${pointerSegment(name)}`),
    ])
  }
  return declared
}

/** Lowers a property's schema, merged with the patterns that its name matches. */
function lowerProperty(
  name: string,
  declared: JsonSchema,
  { patternProperties = {} }: JsonSchema,
  place: Place,
  lowering: Lowering,
): Lowered | undefined {
  const rules = Object.entries(patternProperties).filter(([pattern]) => matches(pattern, name))
  if (rules.length === 0) return lowering.node(declared, place)
  const merge = (): JsonSchema | undefined =>
    rules.reduce<JsonSchema | undefined>(
      (merged, [, rule]) => merged && lowering.intersect(merged, rule as JsonSchema),
      declared,
    )
  return lowering.merging(declared, merge, (merged) => lowering.node(merged, place))
}

/** Lowers a record to a list of `{ key, value }`. */
function entries(node: JsonSchema, others: FreeKeys, lowering: Lowering): Lowered {
  lowering.standIn(node, 'entries')
  const { minProperties, maxProperties, ...rest } = node
  const outer = applyKeywords(lowering.origins.derive(rest as JsonSchema, node), settled, lowering)
  const bounds: JsonSchema = {}
  if (minProperties !== undefined) {
    bounds.minItems = Number(minProperties)
    // A key that occurs twice counts once.
    lowering.lose(node, 'minProperties', 'approximated')
  }
  if (maxProperties !== undefined) {
    bounds.maxItems = Number(maxProperties)
    if (lowering.dialect.keywords.maxItems !== 'keep') lowering.lose(node, 'maxProperties', 'described')
  }
  const codec: Codec = { kind: 'entries', value: others.value.value }
  return { schema: entryList(others, lowering, { ...outer, ...bounds }), value: codec }
}

function entryList({ key, value }: FreeKeys, lowering: Lowering, outer: JsonSchema): JsonSchema {
  return {
    type: 'array',
    // Losses of these bounds are recorded under the keywords of the declared record.
    ...lowering.withoutLosses(() => applyKeywords(outer, [], lowering)),
    items: {
      type: 'object',
      properties: { key, value: value.schema },
      required: ['key', 'value'],
      additionalProperties: false,
    },
  }
}

function unusedName(name: string, properties: ReadonlyMap<string, unknown>): string {
  let unused = name
  while (properties.has(unused)) unused += '_'
  return unused
}
