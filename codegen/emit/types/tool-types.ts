import { fixedValue } from '../../../runtime/schema/fixed-value.ts'
import { metaFieldNames } from '../../../runtime/schema/meta-fields.ts'
import { olderDelegateName } from '../../../runtime/schema/older-delegate-name.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { toolFacts } from '../../../runtime/schema/tool-facts.ts'
import type { ToolModel } from '../../model.ts'
import { type ToolTypeNames, toolTypeNames } from '../../names/names.ts'
import { type Member, stringNode, type TypeNode } from '../../print/type-node.ts'
import type { TypePrinter } from '../../print/type-printer.ts'

/** The parts of one Tool's types. */
export interface ToolTypes {
  readonly tool: ToolModel
  readonly names: ToolTypeNames
  /** The parameters as the Activity receives them. */
  readonly resolved: TypeNode
  /** The parameters as a caller or a model writes them; the same object when References change nothing. */
  readonly written: TypeNode
  /** The meta-fields that a caller may write: those that the Tool declares, and `_reasoningForCall`. */
  readonly meta: readonly Member[]
  /** Further members of a model's Call (CALL-1a): `_tool`, `_activity`, `_output`. */
  readonly control: readonly Member[]
  readonly output: TypeNode | undefined
  /** Whether a literal is among the outputs. */
  readonly allowsConstant: boolean
  /** The name of the Activity that runs the Tool's Calls (ACT-3); undefined when it is always latent. */
  readonly activity: string | undefined
  /** The scopes that the Tool fixes (SCOPE-2). */
  readonly scopes: readonly string[] | undefined
}

export function readToolTypes(tool: ToolModel, printer: TypePrinter): ToolTypes {
  const names = toolTypeNames(tool.identifier)
  const resolved = printer.read(parametersOf(tool.schema))
  const output = tool.output === undefined ? undefined : printer.read(tool.output)
  return {
    tool,
    names,
    resolved,
    written: printer.written(resolved),
    meta: metaMembers(tool.schema, printer),
    control: controlMembers(tool, names),
    output,
    allowsConstant: output !== undefined && printer.allowsConstant(output),
    activity: activityName(tool),
    scopes: toolFacts(tool.name, tool.schema).scopes,
  }
}

/** The name of the Activity that runs a Tool's Calls (ACT-3); undefined when it is always latent. */
export function activityName({ name, schema }: ToolModel): string | undefined {
  const declared = constant(schema.properties?._activity)
  return declared === '' ? undefined : (declared ?? name)
}

/** Meta-fields that are members of the Call itself and not of a `Meta` type. */
const control: ReadonlySet<string> = new Set(['_tool', '_activity', '_output'])

/** Removes the meta-fields from the Tool's schema and keeps all other keywords. */
function parametersOf(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema
  const parameters: [string, Schema][] = []
  for (const entry of Object.entries(properties)) if (!metaNames.has(entry[0])) parameters.push(entry)
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(parameters),
    required: required.filter((name) => !metaNames.has(name)),
  }
}

const metaNames: ReadonlySet<string> = new Set([...metaFieldNames, olderDelegateName])

function metaMembers({ properties = {}, required = [] }: JsonSchema, printer: TypePrinter): Member[] {
  const members: Member[] = []
  for (const name of metaNames) {
    if (control.has(name)) continue
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema === undefined && name !== '_reasoningForCall') continue
    members.push({
      name,
      node: schema === undefined ? stringNode : printer.read(schema),
      // A caller need not repeat a fixed value; a reason is always optional here.
      optional: name === '_reasoningForCall' || fixedValue(schema) !== undefined || !required.includes(name),
      ...(typeof schema === 'object' && { documents: schema }),
    })
  }
  return members
}

function controlMembers({ name, output, schema }: ToolModel, names: ToolTypeNames): Member[] {
  const legal = [...new Set([constant(schema.properties?._activity) ?? name, name, ''])]
  const activity: TypeNode = { kind: 'union', nodes: legal.map((value) => ({ kind: 'literal', value })) }
  const members: Member[] = [toolMember(name), { name: '_activity', node: activity, optional: true }]
  if (output !== undefined) members.push({ name: '_output', node: named(names.output), optional: true })
  return members
}

/** Returns the member `_tool`. It comes first, so that the compiler picks it as the discriminant of the union of Calls. */
export function toolMember(name: string): Member {
  return { name: '_tool', node: { kind: 'literal', value: name }, optional: false, readonly: true }
}

/** A type that this file declares, by its name. */
function named(name: string): TypeNode {
  return { kind: 'definition', name, written: false, types: 0 }
}

function constant(schema: Schema | undefined): string | undefined {
  if (typeof schema !== 'object' || !Object.hasOwn(schema, 'const')) return undefined
  return typeof schema.const === 'string' ? schema.const : JSON.stringify(schema.const)
}
