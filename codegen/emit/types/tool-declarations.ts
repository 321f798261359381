import type { JsonSchema } from '../../../runtime/schema/schema.ts'
import { union } from '../../print/combine.ts'
import { schemaDoc } from '../../print/doc-comment.ts'
import { propertyName } from '../../print/literal.ts'
import { withIndex } from '../../print/read-object.ts'
import { schemaType } from '../../print/schema-type.ts'
import type { Member, ObjectNode, TypeNode } from '../../print/type-node.ts'
import type { TypePrinter } from '../../print/type-printer.ts'
import { withoutComments } from '../../print/without-comments.ts'
import type { BuilderWiring } from './builder-checks.ts'
import { type ToolTypes, toolMember } from './tool-types.ts'

/** Prints the declarations of one Tool: its Call as written and as received, and its output. */
export function toolDeclarations(types: ToolTypes, wiring: Wiring, printer: TypePrinter): string[] {
  const { tool, names, written, meta, control, output, activity } = types
  const doc = schemaDoc(tool.schema)
  const parts = [
    printer.declaration(names.arguments, written),
    printer.declaration(names.meta, { kind: 'object', members: meta }),
    doc + callDeclaration(names.call, { own: control, parameters: written, named: true }, types, printer),
    resolvedDeclaration(types, printer),
  ]
  if (tool.output !== undefined && output) {
    parts.push(schemaDoc(tool.output) + printer.declaration(names.output, output))
  }
  parts.push(
    `export interface ${names.tool} extends ${wiring.typedTool()} {\n  readonly properties: ${names.toolProperties}\n}\n`,
    `export interface ${names.toolProperties} ${propertySchemas(tool.schema)}\n`,
  )
  if (activity !== undefined) {
    parts.push(`export type ${names.activity} = ${activityType(types, wiring)}\n`)
  }
  return parts
}

function activityType({ names, output, allowsConstant, scopes }: ToolTypes, wiring: Wiring): string {
  const context = scopes ? wiring.scopedContext(scopes) : wiring.activityContext()
  const types = {
    call: names.resolvedCall,
    tool: names.tool,
    context,
    output: output ? names.output : 'void',
  }
  return activityFunction(types, allowsConstant, wiring)
}

/**
 * Prints an Activity's function type in full: the runtime's `ActivityFunction<…>` would cost the compiler half as much again.
 *
 * @param allowsConstant Whether it may return a literal, which an async function would widen.
 */
export function activityFunction(
  { call, tool, context, output }: ActivityTypes,
  allowsConstant: boolean,
  wiring: Wiring,
): string {
  const returned = `${output} | ${wiring.activityMessage()}`
  const parameters = `call: ${call}, tool: ${tool}, context: ${context}, run: ${wiring.activityRun()}`
  return allowsConstant
    ? `${wiring.constantFunction()}<[${parameters}], ${returned}>`
    : `(${parameters}) => ${returned} | Promise<${returned}>`
}

/** The names of the types that an Activity is written with. */
interface ActivityTypes {
  readonly call: string
  readonly tool: string
  readonly context: string
  readonly output: string
}

/**
 * Prints the type of the Calls that an Activity receives. It extends the type of the written arguments and redeclares, without
 * References, only the members that may have them. Editors show the comments of the base, so it has none.
 */
function resolvedDeclaration(types: ToolTypes, printer: TypePrinter): string {
  const { tool, names, resolved, written } = types
  const own = [toolMember(tool.name)]
  if (
    resolved.kind === 'object' &&
    written.kind === 'object' &&
    !isEmpty(written) &&
    hasPlainIndex(resolved)
  ) {
    const before = new Map(written.members.map((member) => [member.name, member.node]))
    const narrowed = resolved.members.filter(({ name, node }) => before.get(name) !== node)
    // The compiler does not see that an intersection of optional members, or a large union, is narrower than the same with References.
    if (narrowed.some(({ node }) => printer.isHardToCompare(node))) {
      return callDeclaration(names.resolvedCall, { own, parameters: resolved, named: false }, types, printer)
    }
    const narrower = narrowed.map(({ name, node, optional }) => ({
      name,
      node: withoutComments(node),
      optional,
    }))
    const call = { own: [...own, ...narrower], parameters: written, named: true }
    return callDeclaration(names.resolvedCall, call, types, printer)
  }
  const call = { own, parameters: resolved, named: resolved === written }
  return callDeclaration(names.resolvedCall, call, types, printer)
}

/** Whether an object type has no index signature, or one that accepts every member of a Call. */
function hasPlainIndex({ index }: ObjectNode): boolean {
  return index === undefined || index.kind === 'unknown'
}

/** Prints the types of a Tool's property schemas, for the `tool` argument of its Activity (ACT-2). */
function propertySchemas({ properties = {} }: JsonSchema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) => `  readonly ${propertyName(name)}: ${schemaType(schema)}\n`,
  )
  return `{\n${members.join('')}}`
}

/** The local names of the types that generated types use. */
export interface Wiring extends BuilderWiring {
  activityMessage(): string
  constantFunction(): string
  activityRun(): string
  activityContext(): string
  typedTool(): string
  builtCall(): string
  /** The context of an Activity whose Tool fixes these scopes. */
  scopedContext(scopes: readonly string[]): string
}

interface CallParts {
  /** Members that this Call type has besides parameters and meta-fields. */
  readonly own: readonly Member[]
  readonly parameters: TypeNode
  /** Whether the parameters equal the `Arguments` type, which is then named instead of repeated. */
  readonly named: boolean
}

/**
 * Prints a Call type: an interface if the parameters are a plain object, since the compiler discriminates a large union of
 * interfaces directly by `_tool`. It has at most one base: a second one costs some thirty instantiations per Tool, more than
 * everything else that a Call does.
 */
function callDeclaration(name: string, call: CallParts, types: ToolTypes, printer: TypePrinter): string {
  const { names, meta } = types
  const { parameters } = call
  const own: ObjectNode = { kind: 'object', members: call.own }
  if (parameters.kind !== 'object') {
    const admitted = admit(parameters, [...call.own, ...meta])
    const text = call.named && admitted === parameters ? names.arguments : printer.operand(admitted)
    return `export type ${name} = ${text} & ${names.meta} & ${printer.text(own)}\n`
  }
  if (!hasPlainIndex(parameters) && parameters.index) {
    const members = [...call.own, ...parameters.members, ...meta]
    return printer.declaration(name, withIndex(members, parameters.index))
  }
  if (call.named && !isEmpty(parameters)) {
    const besides: ObjectNode = { kind: 'object', members: [...call.own, ...meta] }
    return `export interface ${name} extends ${names.arguments} ${printer.text(besides)}\n`
  }
  const members = [...call.own, ...parameters.members, ...meta]
  return `export interface ${name} ${printer.text({ ...parameters, members })}\n`
}

/** Widens index signatures so that a Call's own members fit them; the same object where there is none. */
function admit(node: TypeNode, members: readonly Member[]): TypeNode {
  switch (node.kind) {
    case 'union':
    case 'intersection': {
      const nodes = node.nodes.map((part) => admit(part, members))
      return nodes.every((part, index) => part === node.nodes[index]) ? node : { ...node, nodes }
    }
    case 'object': {
      if (node.index?.kind === 'unknown' || (!node.index && !isEmpty(node))) return node
      const index = union([...(node.index ? [node.index] : []), ...members.map((member) => member.node)])
      return { ...node, index }
    }
    default:
      return node
  }
}

function isEmpty(node: ObjectNode): boolean {
  return node.members.length === 0 && !node.index
}
