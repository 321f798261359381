import { ownOutcome } from '../../call/own-outcome.ts'
import type { Message } from '../../context/message.ts'
import { type ErrorData, isCallsheetError } from '../../errors.ts'
import { ownCopy } from '../../json/own-copy.ts'
import { messageOf } from '../../problems/message-of.ts'
import { tellListener } from '../../problems/tell-listener.ts'
import type { AgentOptions, AgentResult } from '../loop/agent-options.ts'
import {
  type Executor,
  type ExecutorFactory,
  inProcessExecutor,
  type PerformedOutcome,
} from '../loop/executor.ts'
import { LoopError } from '../loop/loop-error.ts'
import { type RequestOutput, requestTool } from '../loop/request-call.ts'
import type { RunEvent } from '../loop/run-event.ts'

/** Tells a listener what happens in a run, as it happens. A listener that throws changes nothing of the run. */
export class RunLog {
  readonly #tell: (event: RunEvent) => void
  /** Messages that have been told of: the context only grows. */
  #told = 0

  constructor(log: (event: RunEvent) => void) {
    this.#tell = (event) => tellListener('log', log, event)
  }

  /** The options of a run that is told of. Its delegates' Requests are told of, their steps are not. */
  over(options: AgentOptions, runId: string): AgentOptions {
    const { model, output, executor = inProcessExecutor, onSent, tools } = options
    this.#tell({
      event: 'start',
      version: 1,
      runId,
      at: Date.now(),
      model,
      ...(output !== undefined && { output: ownCopy(output) }),
    })
    return {
      ...options,
      executor: this.#executor(executor, tools),
      onSent: (sent) => {
        this.#tell({ event: 'sent', at: Date.now(), ...sent })
        return onSent?.(sent)
      },
    }
  }

  end(result: AgentResult): void {
    const { output, suspended, context } = result
    const { usage, spent } = ownSums(result)
    this.#tell({
      event: 'end',
      at: Date.now(),
      output: ownCopy(output),
      usage,
      spent,
      messages: this.#added(context),
      ...(suspended && { suspended: ownCopy(suspended) }),
    })
  }

  failed(error: unknown): void {
    if (error instanceof LoopError) {
      const { suspended, context } = error.result
      const said = { error: errorData(error), ...ownSums(error.result), messages: this.#added(context) }
      const waits = suspended && { suspended: ownCopy(suspended) }
      this.#tell({ event: 'end', at: Date.now(), ...said, ...waits })
      return
    }
    const none = { usage: { in: 0, out: 0, cached: 0 }, spent: { turns: 0, calls: 0, tokens: 0 } }
    this.#tell({ event: 'end', at: Date.now(), error: errorData(error), messages: [], ...none })
  }

  #executor(inner: ExecutorFactory, tools: AgentOptions['tools']): ExecutorFactory {
    return (perform): Executor => {
      const running = inner(perform)
      return {
        dispatch: (call, key, policy) => {
          const { kind, effects, context } = policy
          this.#tell({
            event: 'dispatch',
            key,
            kind,
            at: Date.now(),
            call: ownCopy(call),
            ...(effects && { effects }),
            ...(kind === 'request' && { messages: this.#added(context) }),
          })
          return running.dispatch(call, key, policy)
        },
        next: async (pending) => {
          const settled = await running.next(pending)
          const outcome = ownStep(settled.outcome)
          this.#tell({ event: 'settle', key: settled.id, at: Date.now(), outcome })
          for (const early of startedEarly(settled.outcome)) this.#tellEarly(early, tools)
          return settled
        },
        now: () => running.now(),
      }
    }
  }

  /** A Call that ran while its answer was still coming is told of once the answer is there, at the times of its own. */
  #tellEarly(outcome: PerformedOutcome, tools: AgentOptions['tools']): void {
    const { id: key, call, startedAt, endedAt } = outcome
    const effects = tools.get(call._tool)?.effects
    const told = ownOutcome(outcome)
    this.#tell({
      event: 'dispatch',
      key,
      kind: 'call',
      at: startedAt,
      call: ownCopy(call),
      ...(effects && { effects }),
    })
    this.#tell({ event: 'settle', key, at: endedAt, outcome: told })
  }

  #added(context: readonly Message[]): readonly Message[] {
    const added = context.slice(this.#told)
    this.#told = context.length
    return ownCopy(added)
  }
}

function ownSums({ usage, spent }: AgentResult): Pick<AgentResult, 'usage' | 'spent'> {
  return { usage: { ...usage }, spent: { ...spent } }
}

/** An Outcome of a step, which may be a Request: the errors of its Calls are no JSON either. */
function ownStep({ output, ...outcome }: PerformedOutcome): PerformedOutcome {
  if (outcome.tool !== requestTool || output === undefined) return ownOutcome({ ...outcome, output })
  return { ...ownOutcome(outcome), output: ownAnswer(output as RequestOutput) }
}

function ownAnswer({ rejected, started, native, ...rest }: RequestOutput): RequestOutput {
  return {
    ...ownCopy(rest),
    // A provider that gives no ids makes lists of them that are no JSON.
    ...(native && {
      native: { said: ownCopy(native.said), ids: [...native.ids], rejectedIds: [...native.rejectedIds] },
    }),
    ...(rejected && { rejected: rejected.map((each) => ({ ...each, call: ownCopy(each.call) })) }),
    started: Array.from(started, ([index, outcome]) => [index, ownOutcome(outcome)] as const),
  }
}

/** The Calls that a Request has started, and that have run or wait for an approval: they are no steps of the executor's. */
function startedEarly({ tool, output, error }: PerformedOutcome): readonly PerformedOutcome[] {
  if (tool !== requestTool) return []
  const { started = [] } = (output ?? {}) as Partial<RequestOutput>
  const { outcomes = [] } = (error ?? {}) as { outcomes?: readonly PerformedOutcome[] }
  // Where the answer broke off, nothing waits any more.
  return [...Array.from(started, ([, outcome]) => outcome), ...outcomes.filter(({ approval }) => !approval)]
}

function errorData(error: unknown): ErrorData {
  if (isCallsheetError(error)) return error.toJSON()
  return { name: 'Error', code: 'internal', message: messageOf(error) }
}
