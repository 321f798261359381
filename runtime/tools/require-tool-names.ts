import { CallsheetError } from '../errors.ts'
import { nearest } from '../problems/nearest.ts'
import { listSome, saidProblems } from '../problems/problem.ts'
import { suggest } from '../problems/suggest.ts'
import type { ToolSchema } from '../schema/schema.ts'

/**
 * Requires names to be those of registered Tools: a misspelt name would silently have no effect.
 *
 * @param to Ends the sentence `There is no Tool "x" to …` of the error, for example `run at https://worker.internal`.
 * @returns The Tools' schemas by name.
 * @throws CallsheetError `unknown_tool`, with every unknown name.
 */
export function requireToolNames<Name extends string>(
  names: readonly Name[],
  Tool: { readonly names: readonly string[]; get(name: string): ToolSchema | undefined },
  to: string,
): Map<Name, ToolSchema> {
  const found = new Map<Name, ToolSchema>()
  const unknown: string[] = []
  for (const name of names) {
    const schema = Tool.get(name)
    if (schema) found.set(name, schema)
    else unknown.push(name)
  }
  if (unknown.length === 0) return found
  const sentences = unknown.map(
    (name) => `There is no Tool "${name}" to ${to}.${suggest(nearest(name, Tool.names))}`,
  )
  throw new CallsheetError('unknown_tool', listSome(sentences, saidProblems, ' '))
}
