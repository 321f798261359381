import { memberPath, toolkitTypeNames } from '../../names/names.ts'
import { schemaDoc } from '../../print/doc-comment.ts'
import { methodName, propertyName } from '../../print/literal.ts'
import { builderChecks } from './builder-checks.ts'
import type { Wiring } from './tool-declarations.ts'
import type { ToolTypes } from './tool-types.ts'

interface Branch {
  tool?: ToolTypes
  readonly children: Map<string, Branch>
}

/**
 * Prints the type of `calls`: a builder per Tool (TYPE-6), and before it a type per toolkit, whose name compilers show for a
 * misspelt builder. A Tool with the same name as a toolkit is a function with properties.
 */
export function callBuilders(tools: readonly ToolTypes[], wiring: Wiring): string[] {
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
  const toolkits = toolkitTypeNames(tools.map(({ tool }) => tool.name))
  const printed: string[] = []
  print(root, '', 'CallBuilders')
  return printed

  function print({ tool, children }: Branch, path: string, type: string): void {
    const members = [...children].map(([name, child]) => {
      const own = path === '' ? name : `${path}.${name}`
      const toolkit = toolkits.get(own)
      if (toolkit === undefined) return child.tool ? builder(child.tool, methodName(name), wiring) : ''
      print(child, own, toolkit)
      return `  readonly ${propertyName(name)}: ${toolkit}\n`
    })
    const call = tool ? builder(tool, '', wiring) : ''
    printed.push(`export interface ${type} {\n${call}${members.join('')}}\n`)
  }
}

/** Prints the builder of a Tool as a method, or without a name as the signature of a type that can be called. */
function builder(types: ToolTypes, name: string, wiring: Wiring): string {
  return `${schemaDoc(types.tool.schema, '  ')}  ${name}${signature(types, wiring)}\n`
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
