import type { Call } from '../context/message.ts'
import { messageOf } from '../problems/message-of.ts'
import { ended } from '../problems/problem.ts'
import type { StopSignal } from './ending.ts'
import { interruptedOutcome } from './interrupted-outcome.ts'
import type { OutcomeJson } from './outcome-json.ts'

/**
 * Waits for Calls that go on although nobody waits for them any more, until the server closes.
 *
 * @param hasBegun Tells whether they run: those that have not begun are refused.
 * @param answer Returns what is answered then.
 */
export async function orWhenStopped<Result>(
  running: Promise<Result>,
  signal: StopSignal,
  hasBegun: () => boolean,
  answer: () => Result,
): Promise<Result> {
  let stop: () => void = () => undefined
  const stopped = new Promise<Result>((resolve) => {
    stop = () => {
      if (hasBegun()) resolve(answer())
    }
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([running, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Builds the answer for a Call that writes, and so goes on although nobody waits for it any more. */
export function goesOn(id: string, call: Call, signal: StopSignal): OutcomeJson {
  return interruptedOutcome(id, call, `${ended(messageOf(signal.reason))} The Call goes on.`)
}
