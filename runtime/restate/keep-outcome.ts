import type { PerformedOutcome } from '../agent/loop/executor.ts'
import { type RecordedOutcome, recordOutcome, withoutOutput } from '../durable/recorded-outcome.ts'

/** What an Outcome may take as JSON: a server takes messages of 32 MiB, with what the engine itself adds to them. */
const mostBytes = 32_000_000

/**
 * Writes an Outcome down for Restate. One that its server does not take would not be recorded, so that the body would run
 * again, and again; the Call ends as `invalid_output` instead.
 */
export function keepOutcome(outcome: PerformedOutcome): RecordedOutcome {
  const recorded = recordOutcome(outcome)
  const bytes = sizeOf(recorded)
  if (bytes <= mostBytes) return recorded
  const { output: _, error: __, ...rest } = outcome
  const why = `takes ${bytes} bytes as JSON with what it writes, and Restate keeps ${mostBytes}. Store it elsewhere, and return where it is`
  return recordOutcome(withoutOutput(rest, why))
}

/** In bytes of UTF-8; a text whose every character took the most would be no larger than the first estimate. */
function sizeOf(recorded: RecordedOutcome): number {
  const text = JSON.stringify(recorded)
  return text.length * 3 <= mostBytes ? text.length : new TextEncoder().encode(text).length
}
