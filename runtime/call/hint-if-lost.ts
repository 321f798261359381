import { isRepeatable } from '../schema/effects.ts'
import type { Effects } from '../schema/schema.ts'

/**
 * Says of a Call whose answer is lost that it may have run, unless it may run again: a model would ask for a payment again, under another
 * id.
 */
export function hintIfLost(effects: Effects | undefined): string {
  return isRepeatable(effects) ? '' : ' Whether the Call ran is not known; look before you ask for it again.'
}
