import { nearest } from '../../problems/nearest.ts'
import { briefly } from '../../problems/problem.ts'
import { suggest } from '../../problems/suggest.ts'
import { warnOnce } from '../../problems/warn-once.ts'
import type { RegistryState } from '../registry-state.ts'
import type { RunOptions } from '../run-options.ts'

/**
 * Warns of unknown names in `policy` and `onInvalidOutput` that resemble a known name: their entries have no effect.
 */
export function warnOfMisspeltNames(
  { tools, activities }: RegistryState,
  policy: RunOptions['policy'] = {},
  onInvalidOutput: RunOptions['onInvalidOutput'] = {},
): void {
  const isKnown = (name: string): boolean => activities.knows(name) || tools.get(name) !== undefined
  warnOfNearNames('policy', 'an Activity', Object.keys(policy), isKnown, activities.names)
  const outputs = typeof onInvalidOutput === 'object' ? Object.keys(onInvalidOutput) : []
  warnOfNearNames('onInvalidOutput', 'a Tool', outputs, (name) => tools.get(name) !== undefined, tools.names)
}

function warnOfNearNames(
  option: string,
  what: string,
  names: readonly string[],
  isKnown: (name: string) => boolean,
  known: readonly string[],
): void {
  for (const name of names) {
    const near = isKnown(name) ? [] : nearest(name, known)
    if (near.length === 0) continue
    const message = `\`${option}\` is for ${what} ${briefly(name)}, which is not registered, so it has no effect.${suggest(near)}`
    warnOnce('CALLSHEET_POLICY', `${option} ${name}`, message)
  }
}
