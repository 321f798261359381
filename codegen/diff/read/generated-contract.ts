import { posix } from 'node:path'
import { byCodeUnit, isJsonObject } from '../../../runtime/json/json.ts'
import { composedBranches, toolName } from '../../../runtime/lower/composed-tools.ts'
import { declaredToolName } from '../../../runtime/schema/declared-tool-name.ts'
import { fixedValue } from '../../../runtime/schema/fixed-value.ts'
import type { JsonSchema, ToolSchema } from '../../../runtime/schema/schema.ts'
import type { ContractSet, ContractTool } from '../contract.ts'
import type { FileTree } from './file-tree.ts'
import { readStringLiteral } from './string-literal.ts'

/** Where generated code keeps schemas: `schemas.ts`, and `registry.ts` in contracts that were generated earlier. */
const schemaFile = /(?:^|\/)(?:registry|schemas)\.(?:ts|mts|js|mjs)$/
/** What stands before a schema's text in either. */
const beforeSchema = /\btext:\s*|Schema(?::\s*string)?\s*=\s*/g

/**
 * Reads contracts from generated code, as text: it holds each Tool's whole schema, in TypeScript and in what is compiled
 * from it. Nothing of it is run.
 *
 * @returns The sets by output folder; none where nothing was generated.
 */
export async function generatedSets(tree: FileTree): Promise<ContractSet[]> {
  const sources = tree.paths.filter((path) => schemaFile.test(path))
  const composed = tree.paths.filter((path) => /(?:^|\/)composed\/[a-z.-]+\.json$/.test(path))
  const texts = await tree.read([...sources, ...composed])
  const schemas = new Map<string, ToolSchema[]>()
  for (const path of sources) {
    const found = schemasIn(texts.get(path) ?? '')
    const output = posix.dirname(path)
    // A build puts the same set beside its sources, as JavaScript: both say the same.
    if (found) schemas.set(output, [...(schemas.get(output) ?? []), ...found])
  }
  return [...schemas]
    .sort(([left], [right]) => byCodeUnit(left, right))
    .map(([output, found]) => {
      const composedHere = composed.filter((path) => posix.dirname(posix.dirname(path)) === output)
      const activities = activitiesIn(composedHere.flatMap((path) => texts.get(path) ?? []))
      return { output, tools: toolsOf(found, activities) }
    })
}

/** The schemas that a source holds; undefined for another file of that name. */
function schemasIn(source: string): ToolSchema[] | undefined {
  const schemas: ToolSchema[] = []
  for (const { index, 0: found } of source.matchAll(beforeSchema)) {
    const literal = readStringLiteral(source, index + found.length)
    const schema = literal && parsed(literal.value)
    if (isJsonObject(schema) && declaredToolName(schema) !== undefined) schemas.push(schema as ToolSchema)
  }
  return schemas.length > 0 || source.includes('generatedTools') ? schemas : undefined
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
