import { memberPath } from '../../names/names.ts'
import { schemaDoc } from '../../print/doc-comment.ts'
import { propertyName } from '../../print/literal.ts'
import { builderChecks } from './builder-checks.ts'
import type { Wiring } from './tool-declarations.ts'
import type { ToolTypes } from './tool-types.ts'

interface Branch {
  tool?: ToolTypes
  readonly children: Map<string, Branch>
}

/**
 * Prints the type of `calls`: a builder per Tool, with nested toolkits (TYPE-6). A Tool with the same name as a toolkit is a
 * function with properties.
 */
export function callBuilders(tools: readonly ToolTypes[], wiring: Wiring): string {
  const root: Branch = { children: new Map() }
  for (const types of tools) {
    let branch = root
    for (const segment of memberPath(types.tool.name)) {
      const child = branch.children.get(segment) ?? { children: new Map() }
      branch.children.set(segment, child)
      branch = child
    }
    branch.tool = types
  }
  return `export interface CallBuilders {\n${members(root, wiring, '  ')}}\n`
}

function members(branch: Branch, wiring: Wiring, indent: string): string {
  return [...branch.children].map(([name, child]) => member(name, child, wiring, indent)).join('')
}

function member(name: string, { tool, children }: Branch, wiring: Wiring, indent: string): string {
  const doc = tool ? schemaDoc(tool.tool.schema, indent) : ''
  if (children.size === 0 && tool) return `${doc}${indent}${propertyName(name)}${signature(tool, wiring)}\n`
  const inner = `${indent}  `
  const call = tool ? `${schemaDoc(tool.tool.schema, inner)}${inner}${signature(tool, wiring)}\n` : ''
  const nested = members({ children }, wiring, inner)
  return `${indent}readonly ${propertyName(name)}: {\n${call}${nested}${indent}}\n`
}

function signature(types: ToolTypes, wiring: Wiring): string {
  const { names, written, meta, output } = types
  const metaOptional = meta.every(({ optional }) => optional)
  const allOptional = written.kind === 'object' && written.members.every(({ optional }) => optional)
  const checks = builderChecks(types, wiring)
  const params = `params${allOptional && metaOptional ? '?' : ''}: ${checks.parameters}`
  const result = `${wiring.builtCall()}<${output ? names.output : 'void'}, ${checks.outputPath}>`
  return `${checks.generics}(${params}, meta${metaOptional ? '?' : ''}: ${checks.meta}): ${result}`
}
