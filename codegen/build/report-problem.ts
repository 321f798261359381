import type { SchemaProblem } from '../../runtime/schema/schema-problem.ts'
import type { Finding, LoadedDefinition } from '../model.ts'

/** A problem of one definition, before it is known whose. */
export interface BuildProblem extends SchemaProblem {
  readonly severity?: Finding['severity']
}

export type ReportProblem = (problem: BuildProblem) => void

/** Makes problems of one definition into findings, each with its place in the source. */
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
