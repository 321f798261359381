import type { SchemaProblem } from '../../runtime/schema/schema-problem.ts'
import type { Finding, LoadedDefinition } from '../model.ts'

/** A problem in a definition, without the definition's name and source position. */
export interface BuildProblem extends SchemaProblem {
  readonly severity?: Finding['severity']
}

export type ReportProblem = (problem: BuildProblem) => void

/** Returns a function that turns problems of one definition into findings with source positions. */
export function problemReporter(definition: LoadedDefinition, findings: Finding[]): ReportProblem {
  return ({ severity = 'error', pointer, message, ...problem }) => {
    const { kind, name, at, locate } = definition
    const where = pointer === '' ? '' : ` at ${pointer}`
    findings.push({
      ...problem,
      severity,
      message: `${kind === 'tool' ? 'Tool' : 'Schema'} "${name}"${where}: ${message}`,
      at: locate ? locate(pointer) : at,
      ...(kind === 'tool' && { tool: name }),
      pointer,
    })
  }
}
