import type { Outcome } from '../../call/outcome.ts'
import { ownOutcome } from '../../call/own-outcome.ts'
import type { Message } from '../../context/message.ts'
import { isJsonObject } from '../../json/json.ts'
import { ownCopy } from '../../json/own-copy.ts'
import type { PlanReading } from '../../plan/plan-reading.ts'
import { tellListener } from '../../problems/tell-listener.ts'
import { wrongAnswer } from '../../problems/wrong-answer.ts'
import { addedMessages, type Redact, redactAppended } from './added-messages.ts'
import type { ShownError, Turn } from './agent-options.ts'
import { ExchangeLog } from './exchange-log.ts'
import type { PerformedOutcome } from './executor.ts'
import type { LoopSettings } from './loop-settings.ts'
import type { Spent } from './meter.ts'
import type { PlannedCall } from './planned-call.ts'

/** The record of a run so far; reports additions to the caller. */
export class RunRecord {
  /** All Messages, including the initial ones. */
  readonly messages: Message[]
  readonly outcomes: Outcome[] = []
  readonly turns: Turn[] = []
  readonly exchanges: ExchangeLog
  /** How to read Calls, by the Tools of the run and those in its Messages so far. */
  readonly reading: PlanReading
  readonly #settings: LoopSettings
  readonly #instances = new Set<string>()
  /** Exceptions of `redact` for Calls that are not reported yet. */
  readonly #failures: unknown[] = []

  constructor(settings: LoopSettings) {
    this.#settings = settings
    this.messages = [...settings.messages]
    this.reading = settings.readingOf(this.messages)
    this.#learnInstances(this.messages)
    this.exchanges = new ExchangeLog(settings.resume?.exchanges)
  }

  /**
   * Appends the Messages of Calls, in the order of the plan rather than of their ending.
   *
   * @throws the exception of the caller's Context or of `redact`, after all Messages are in the run's own record.
   */
  add(planned: readonly PlannedCall[]): Outcome[] {
    const ran: Outcome[] = []
    const failures = this.#failures.splice(0)
    const redact: Redact = (error, outcome) => this.#shownError(error, outcome, failures)
    for (const { call, outcome, toolCall } of planned) {
      if (!outcome) continue
      const from = this.messages.length
      this.#settings.meter.add(spentBy(outcome))
      ran.push(outcome)
      this.outcomes.push(outcome)
      try {
        this.append(addedMessages(call, outcome, redact, this.#instances))
      } catch (thrown) {
        failures.push(thrown)
      }
      if (toolCall) this.exchanges.settle(toolCall, from, this.messages.length)
    }
    if (failures.length > 0) throw failures[0]
    return ran
  }

  /**
   * Converts an Outcome to the form that other Calls may read. An exception of `redact` is thrown later, by `add`,
   * after all Calls are recorded.
   */
  redactOutcome<Given extends Outcome>(outcome: Given): Given {
    if (!this.#settings.redact) return outcome
    return redactAppended(outcome, (error) => this.#shownError(error, outcome, this.#failures))
  }

  #shownError(error: ShownError, outcome: Outcome, failures: unknown[]): ShownError {
    const { redact } = this.#settings
    if (!redact) return error
    try {
      return requireShown(redact(error, ownOutcome(outcome)))
    } catch (thrown) {
      failures.push(thrown)
      return { code: 'activity_failed', message: 'The Call failed.' }
    }
  }

  get newestPlan(): Message | undefined {
    return this.messages.findLast(({ type }) => type === 'plan')
  }

  append(messages: readonly Message[]): void {
    if (messages.length === 0) return
    // One by one: as separate arguments, 100,000 would overflow the stack.
    for (const message of messages) this.messages.push(message)
    this.#learnInstances(messages)
    this.#settings.onAppend(messages)
  }

  #learnInstances(messages: readonly Message[]): void {
    for (const { _instance } of messages) if (_instance !== undefined) this.#instances.add(_instance)
  }

  /** Records a finished turn, and reports it. */
  endTurn(turn: Turn): void {
    this.turns.push(turn)
    const { onTurn } = this.#settings
    if (!onTurn) return
    const { outcomes, ...rest } = turn
    tellListener('onTurn', onTurn, { ...ownCopy(rest), outcomes: outcomes.map(ownOutcome) })
  }
}

/** Returns what a Call has spent: as a delegate, and the tokens that its Activity reported. */
function spentBy({ spent, usage }: PerformedOutcome): Partial<Spent> {
  // The usage of a delegate has its tokens too.
  const tokens = Math.max(spent?.tokens ?? 0, usage ? usage.in + usage.out : 0)
  return { ...(spent && { turns: spent.turns, calls: spent.calls }), tokens }
}

/** @throws CallError `invalid_options` if `redact` returns something that cannot be shown to a model. */
function requireShown(shown: unknown): ShownError {
  const { code, message } = isJsonObject(shown) ? shown : {}
  if (typeof code === 'string' && typeof message === 'string') return { code, message }
  throw wrongAnswer('`redact`', '{ code, message }, both texts, at once', shown)
}
