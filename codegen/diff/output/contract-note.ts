import { propertyName, stringLiteral } from '../../print/literal.ts'
import type { DiffReport } from '../diff.ts'

/**
 * Explains the consequence for workers that compare contract hashes. Each wire change alters the hash, and so does renaming
 * or splitting a definition. Includes the option that lets new workers serve old callers, if deploying workers first is safe.
 */
export function contractNote({ sets, verdicts }: DiffReport): { note: string; option: string } | undefined {
  const hashes = sets.flatMap(({ contracts }) => Object.entries(contracts))
  if (hashes.length === 0) return undefined
  const list = hashes.map(([name, hash]) => `${propertyName(name)}: [${stringLiteral(hash)}]`).join(', ')
  return {
    note: 'Workers of `remoteActivities`, Restate and Temporal refuse callers with the old contract, unless its hash is in their `contracts` option.',
    option: verdicts['worker-first'] === 'safe' ? `contracts: { ${list} }` : '',
  }
}
