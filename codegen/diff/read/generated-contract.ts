import { posix } from 'node:path'
import { byCodeUnit, isJsonObject } from '../../../runtime/json/json.ts'
import { composedBranches, toolName } from '../../../runtime/lower/composed-tools.ts'
import { declaredToolName } from '../../../runtime/schema/declared-tool-name.ts'
import { fixedValue } from '../../../runtime/schema/fixed-value.ts'
import type { JsonSchema, ToolSchema } from '../../../runtime/schema/schema.ts'
import type { ContractSet, ContractTool } from '../contract.ts'
import type { FileTree } from './file-tree.ts'
import { readStringLiteral } from './string-literal.ts'

const registryFile = /(?:^|\/)registry\.(?:ts|mts|js|mjs)$/

/**
 * Reads contracts from generated code, as text: the registry holds each Tool's whole schema, in TypeScript and in what is
 * compiled from it. Nothing of it is run.
 *
 * @returns The sets by output folder; none where nothing was generated.
 */
export async function generatedSets(tree: FileTree): Promise<ContractSet[]> {
  const registries = tree.paths.filter((path) => registryFile.test(path))
  const composed = tree.paths.filter((path) => /(?:^|\/)composed\/[a-z.-]+\.json$/.test(path))
  const texts = await tree.read([...registries, ...composed])
  const sets = new Map<string, ContractSet>()
  for (const path of registries) {
    const schemas = schemasIn(texts.get(path) ?? '')
    if (schemas === undefined) continue
    const output = posix.dirname(path)
    const activities = activitiesIn(
      composed
        .filter((each) => posix.dirname(posix.dirname(each)) === output)
        .flatMap((each) => texts.get(each) ?? []),
    )
    // A build puts the same set beside its sources, as JavaScript: one of the two is enough.
    if (!sets.has(output)) sets.set(output, { output, tools: toolsOf(schemas, activities) })
  }
  return [...sets.values()].sort((left, right) => byCodeUnit(left.output, right.output))
}

/** The schemas that a registry's source holds; undefined for another file of that name. */
function schemasIn(source: string): ToolSchema[] | undefined {
  if (!source.includes('generatedTool(') && !source.includes('generatedTools')) return undefined
  const schemas: ToolSchema[] = []
  for (const { index, 0: found } of source.matchAll(/\btext:\s*/g)) {
    const literal = readStringLiteral(source, index + found.length)
    const schema = literal && parsed(literal.value)
    if (isJsonObject(schema) && declaredToolName(schema) !== undefined) schemas.push(schema as ToolSchema)
  }
  return schemas
}

function toolsOf(schemas: readonly ToolSchema[], activities: ReadonlyMap<string, string>): ContractTool[] {
  const tools = new Map<string, ContractTool>()
  for (const schema of schemas) {
    const name = declaredToolName(schema) ?? ''
    tools.set(name, { name, schema, activity: activities.get(name) })
  }
  return [...tools.values()].sort((left, right) => byCodeUnit(left.name, right.name))
}

/** Which Activity each Tool composes with, as a composed schema says it. */
function activitiesIn(texts: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const text of texts) {
    const schema = parsed(text)
    if (!isJsonObject(schema)) continue
    for (const branch of composedBranches(schema as JsonSchema)) {
      if (typeof branch === 'boolean') continue
      const name = toolName(branch)
      const activity = fixedValue(branch.properties?._activity)
      if (name !== undefined && typeof activity === 'string') found.set(name, activity)
    }
  }
  return found
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Not written by the generator, then: another text in a file that was edited by hand.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
