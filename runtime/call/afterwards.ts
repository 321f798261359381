import { asError } from './as-error.ts'
import type { Outcome } from './outcome.ts'
import type { RunOptions } from './run-options.ts'

/** Lets the hook `after`, where there is one, see the Outcome, and replace it (CALL-10). Never rejects. */
export async function afterwards(
  pending: Outcome | Promise<Outcome>,
  { after }: RunOptions,
): Promise<Outcome> {
  const outcome = await pending
  try {
    return (await after?.(outcome)) ?? outcome
  } catch (thrown) {
    return { ...outcome, status: 'failed', error: asError(thrown, 'The hook `after` threw'), appended: [] }
  }
}
