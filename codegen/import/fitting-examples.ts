import type { JsonSchema, Schema, ToolSchema } from '../../runtime/schema/schema.ts'
import { exampleCheck } from '../check/example-problems.ts'
import type { Finding } from '../model.ts'
import { importFinding, quoted } from './import-finding.ts'

/**
 * Drops invalid examples of an imported tool, each with a note: in a definition they would fail every generation (REQ-16), and
 * servers do not check theirs.
 */
export function fittingExamples(
  name: string,
  input: JsonSchema,
  definitions: Readonly<Record<string, Schema>>,
): { readonly input: JsonSchema; readonly findings: Finding[] } {
  const { examples, ...rest } = input
  if (!Array.isArray(examples)) return { input, findings: [] }
  const schema = { ...rest, type: 'object', $defs: definitions } as ToolSchema // the checks read nothing else
  const problemsOf = exampleCheck(name, schema)
  const kept: unknown[] = []
  const findings: Finding[] = []
  for (const [index, example] of examples.entries()) {
    const [first] = problemsOf?.(example) ?? []
    if (first === undefined) kept.push(example)
    else {
      const message = `An example of ${quoted(name)} is not a Call of it: ${first.message}.`
      findings.push(importFinding('import-example', message, { tool: name, pointer: `/examples/${index}` }))
    }
  }
  return { input: { ...rest, ...(kept.length > 0 && { examples: kept }) }, findings }
}
