import { propertyName, stringLiteral } from '../../print/literal.ts'
import type { DiffReport } from '../diff.ts'

/**
 * What hashes mean for workers that compare them, which differ with each change on the wire and with each definition that
 * is named or divided otherwise; with the option that lets them serve yesterday's callers, where the worker may go first.
 */
export function contractNote({ sets, verdicts }: DiffReport): { note: string; option: string } | undefined {
  const told = sets.flatMap(({ contracts }) => Object.entries(contracts))
  if (told.length === 0) return undefined
  const list = told.map(([name, hash]) => `${propertyName(name)}: [${stringLiteral(hash)}]`).join(', ')
  return {
    note: 'Workers of `remoteActivities`, Restate and Temporal refuse callers of the contract before, unless they are told of it.',
    option: verdicts['worker-first'] === 'safe' ? `contracts: { ${list} }` : '',
  }
}
