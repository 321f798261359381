import type { PerformedOutcome } from '../agent/loop/executor.ts'
import type { Call } from '../context/message.ts'
import { type RecordedOutcome, recordOutcome, withoutOutput } from './recorded-outcome.ts'

/** What an engine can record, or send. */
export interface EngineRecord {
  /** The engine, and the option that sets its limit, for the text of an error. */
  readonly engine: string
  /** Largest Outcome, or request, as JSON, in bytes. */
  readonly mostBytes: number
}

/**
 * Serialises an Outcome for an engine. An Outcome that the engine does not accept would never be recorded, and the
 * Activity would run again and again; the Call fails with `invalid_output` instead.
 */
export function keepOutcome(outcome: PerformedOutcome, { engine, mostBytes }: EngineRecord): RecordedOutcome {
  const recorded = recordOutcome(outcome)
  const bytes = bytesOf(recorded, mostBytes)
  if (bytes <= mostBytes) return recorded
  const { output: _, error: __, approval: ___, approved: ____, contracts: _____, ...rest } = outcome
  const why = `takes ${bytes} bytes as JSON with what it writes, and ${engine} keeps ${mostBytes}. Store it elsewhere, and return its location`
  const kept = recordOutcome(withoutOutput(rest, why))
  // The Call itself may be almost as large as what was accepted with it.
  return bytesOf(kept, mostBytes) <= mostBytes ? kept : { ...kept, call: { _tool: kept.call._tool } }
}

/** Measures a value as JSON in bytes of UTF-8; the quick first estimate assumes the largest size per character. */
export function bytesOf(value: object, mostBytes: number): number {
  const text = JSON.stringify(value)
  return text.length * 3 <= mostBytes ? text.length : new TextEncoder().encode(text).length
}

/** Says what an engine does not accept, and how a user gets around it. */
export function tooLarge(what: string, bytes: number, { engine, mostBytes }: EngineRecord): string {
  return `${what} takes ${bytes} bytes as JSON, and ${engine} accepts ${mostBytes}. Store large data elsewhere, and pass its location`
}

/** Names a Call that is sent, for {@link tooLarge}. */
export function sentCallName({ _tool }: Call): string {
  return `The Call of "${_tool}", with the context that it sees,`
}
