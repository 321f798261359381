import { byCodeUnit } from '../../../runtime/json/json.ts'
import { propertyName } from '../../print/literal.ts'
import { activityFunction, type Wiring } from './tool-declarations.ts'
import type { ToolTypes } from './tool-types.ts'

/** Prints the types over all Tools: maps from name to type, and the union of Calls. */
export function toolMaps(tools: readonly ToolTypes[], wiring: Wiring): string[] {
  return [
    map('Calls', tools, ({ names }) => names.call),
    map('ResolvedCalls', tools, ({ names }) => names.resolvedCall),
    map('Outputs', tools, outputName),
    map('Tools', tools, (types) => {
      const { names } = types
      const members = `call: ${names.call}; resolvedCall: ${names.resolvedCall}; arguments: ${names.arguments}`
      return `{ ${members}; output: ${outputName(types)}; schema: ${names.tool} }`
    }),
    'export type ToolName = keyof Calls\n',
    generatedTypes,
    `export type Call =${tools.length === 0 ? ' never' : ''}${tools.map(({ names }) => `\n  | ${names.call}`).join('')}\n`,
    activities(tools, wiring),
  ]
}

const generatedTypes = `/** What References and plans are checked against. */
export interface GeneratedTypes {
  calls: Calls
  resolvedCalls: ResolvedCalls
  outputs: Outputs
  context: ContextTypes
}
`

function map(name: string, tools: readonly ToolTypes[], type: (types: ToolTypes) => string): string {
  const members = tools.map((types) => `  ${propertyName(types.tool.name)}: ${type(types)}\n`)
  return `export interface ${name} {\n${members.join('')}}\n`
}

/** Prints the map of Activities by name. One that serves several Tools accepts the Calls of all of them (ACT-5). */
function activities(tools: readonly ToolTypes[], wiring: Wiring): string {
  const served = new Map<string, ToolTypes[]>()
  for (const types of tools) {
    if (types.activity === undefined) continue
    const others = served.get(types.activity)
    if (others) others.push(types)
    else served.set(types.activity, [types])
  }
  const members = [...served]
    .sort(([left], [right]) => byCodeUnit(left, right))
    .map(([name, types]) => `  ${propertyName(name)}: ${activityType(types, wiring)}\n`)
  return `export interface Activities {\n${members.join('')}}\n`
}

function activityType(types: readonly ToolTypes[], wiring: Wiring): string {
  const [only] = types
  if (types.length === 1 && only) return only.names.activity
  const call = types.map(({ names }) => names.resolvedCall).join(' | ')
  const output = [...new Set(types.map(outputName))].join(' | ')
  const tool = types.map(({ names }) => names.tool).join(' | ')
  const names = { call, tool, context: wiring.activityContext(), output }
  return activityFunction(
    names,
    types.some(({ allowsConstant }) => allowsConstant),
    wiring,
  )
}

function outputName({ names, output }: ToolTypes): string {
  return output ? names.output : 'void'
}
