import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { byCodeUnit, own } from '../../../runtime/json/json.ts'
import { shorten } from '../../../runtime/problems/shorten.ts'
import { parametersSchema } from '../../../runtime/schema/call-schema.ts'
import { objectSchema } from '../../../runtime/schema/object-schema.ts'
import { outputSchema } from '../../../runtime/schema/output-schema.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { mapChildSchemas } from '../../../runtime/schema/schema-children.ts'
import { withoutWording } from '../../../runtime/schema/without-wording.ts'
import { reachedDefinitions } from '../../emit/tool-schema.ts'
import { createTypePrinter } from '../../print/type-printer.ts'
import { withoutComments } from '../../print/without-comments.ts'
import type { Change } from '../change.ts'
import type { ContractTool } from '../contract.ts'
import { makeChange } from './make-change.ts'

/**
 * Finds changes of types that can break compilation: of callers, Activities, or readers of an output. Added optional
 * properties are not reported (DIFF-1: type).
 */
export function typeChanges(before: ContractTool, after: ContractTool): Change[] {
  return [
    ...changesOf('parameters', parametersSchema(before.schema), parametersSchema(after.schema), after),
    ...changesOf('output', outputSchema(before.schema), outputSchema(after.schema), after),
  ]
}

const meanings = {
  parameters: 'Code that writes Calls of this Tool, or the Activity that reads them, may not compile.',
  output: 'Code that reads the output, or the Activity that makes it, may not compile.',
} as const

function changesOf(
  half: 'parameters' | 'output',
  before: Schema | undefined,
  after: Schema | undefined,
  tool: ContractTool,
): Change[] {
  const kept = before === undefined || after === undefined ? after : withoutAdditions(before, after)
  const [was, is] = [before, kept].map(typeText) as [string, string]
  if (was === is) return []
  const root = half === 'output' ? '/_output' : ''
  const members = memberChanges(before, kept)
  const place = (name: string): string => (half === 'output' ? `output \`${name}\`` : `\`${name}\``)
  if (members.length === 0) {
    const title = `Type of the ${half}: ${short(was)} → ${short(is)}.`
    return [
      makeChange('type', tool, {
        path: root,
        pointer: root && '/properties/_output',
        title,
        meaning: meanings[half],
        facts: ['type', was, is],
      }),
    ]
  }
  return members.map(({ name, was: old, is: now }) =>
    makeChange('type', tool, {
      path: `${root}/${name}`,
      pointer: `${root && '/properties/_output'}/properties/${name}`,
      title:
        old === undefined
          ? `Type of ${place(name)}: added as ${short(now ?? '')}.`
          : now === undefined
            ? `Type of ${place(name)}: ${short(old)} removed.`
            : `Type of ${place(name)}: ${short(old)} → ${short(now)}.`,
      meaning: meanings[half],
      facts: ['type', old ?? null, now ?? null],
    }),
  )
}

/** Compares the declared types of the members of two objects. */
function memberChanges(
  before: Schema | undefined,
  after: Schema | undefined,
): { name: string; was: string | undefined; is: string | undefined }[] {
  if (typeof before !== 'object' || typeof after !== 'object') return []
  const [was, is] = [membersOf(before), membersOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, was: was.get(name), is: is.get(name) }))
    .filter((member) => member.was !== member.is)
}

function membersOf({ properties = {}, required = [], $defs }: JsonSchema): Map<string, string> {
  return new Map(
    Object.entries(properties).map(([name, schema]) => {
      const whole = typeof schema === 'object' && $defs ? { ...schema, $defs } : schema
      return [name, `${typeText(whole)}${required.includes(name) ? '' : ', optional'}`]
    }),
  )
}

/** Prints a type with the types that it refers to, without comments. */
function typeText(schema: Schema | undefined): string {
  if (schema === undefined) return 'void'
  const { $defs: definitions = {}, ...plain } = inOneOrder(withoutWording(objectSchema(schema)))
  const printer = createTypePrinter(definitions, () => 'Reference')
  const text = (part: Schema): string => printer.text(withoutComments(printer.read(part)))
  const reached = reachedDefinitions(plain, definitions)
  return [text(plain), ...reached.map((name) => `${name} = ${text(definitions[name] ?? true)}`)].join('; ')
}

/** Sorts alternatives and properties, whose order does not matter in a type. */
function inOneOrder<Given extends Schema>(schema: Given): Given {
  if (typeof schema === 'boolean') return schema
  const copy: JsonSchema = mapChildSchemas(schema, inOneOrder)
  if (copy.properties) {
    const properties = Object.entries(copy.properties)
    copy.properties = Object.fromEntries(properties.toSorted(([left], [right]) => byCodeUnit(left, right)))
  }
  for (const keyword of ['enum', 'anyOf', 'oneOf'] as const) {
    const list: unknown[] | undefined = copy[keyword]
    if (list) Object.assign(copy, { [keyword]: list.toSorted(byText) })
  }
  return copy as Given
}

function byText(left: unknown, right: unknown): number {
  return byCodeUnit(canonicalJson(left), canonicalJson(right))
}

/** Removes from the later schema, at any depth, optional properties that the earlier one does not have. */
function withoutAdditions(before: Schema, after: Schema): Schema {
  if (typeof before === 'boolean' || typeof after === 'boolean') return after
  const copy: JsonSchema = { ...after }
  if (before.properties && after.properties) {
    const { properties, required = [] } = after
    copy.properties = Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => Object.hasOwn(before.properties ?? {}, name) || required.includes(name))
        .map(([name, schema]) => [
          name,
          withoutAdditions((own(before.properties ?? {}, name) ?? true) as Schema, schema),
        ]),
    )
  }
  const [items, others] = [before.items, after.items]
  if (items !== undefined && others !== undefined && !Array.isArray(items) && !Array.isArray(others))
    copy.items = withoutAdditions(items, others)
  if (before.$defs && after.$defs) {
    copy.$defs = Object.fromEntries(
      Object.entries(after.$defs).map(([name, schema]) => [
        name,
        withoutAdditions((own(before.$defs ?? {}, name) ?? true) as Schema, schema),
      ]),
    )
  }
  return copy
}

/** A type on one line, with the marks between members that ends of lines stood for. */
function short(text: string): string {
  const line = text.replaceAll(/(?<=[^{[(<|&?:=,])\n\s*(?=[^}\])>|&?:=,\s])/g, '; ').replaceAll(/\s+/g, ' ')
  return `\`${shorten(line, 90)}\``
}
