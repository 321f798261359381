import type { PerformedOutcome } from '../agent/loop/executor.ts'
import { type RecordedOutcome, recordOutcome, withoutOutput } from '../durable/recorded-outcome.ts'

/** Largest Outcome as JSON, in bytes: a server accepts messages of 32 MiB, including the engine's own data. */
const mostBytes = 32_000_000

/**
 * Serialises an Outcome for Restate. An Outcome that the server does not accept would never be recorded, and the
 * Activity would run again and again; the Call fails with `invalid_output` instead.
 */
export function keepOutcome(outcome: PerformedOutcome): RecordedOutcome {
  const recorded = recordOutcome(outcome)
  const bytes = sizeOf(recorded)
  if (bytes <= mostBytes) return recorded
  const { output: _, error: __, ...rest } = outcome
  const why = `takes ${bytes} bytes as JSON with what it writes, and Restate keeps ${mostBytes}. Store it elsewhere, and return its location`
  return recordOutcome(withoutOutput(rest, why))
}

/** Measures a text in bytes of UTF-8; the quick first estimate assumes the largest size per character. */
function sizeOf(recorded: RecordedOutcome): number {
  const text = JSON.stringify(recorded)
  return text.length * 3 <= mostBytes ? text.length : new TextEncoder().encode(text).length
}
