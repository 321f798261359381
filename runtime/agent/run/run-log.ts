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
  startExecutor,
} from '../loop/executor.ts'
import { LoopError } from '../loop/loop-error.ts'
import { type RequestOutput, requestTool } from '../loop/request-call.ts'
import type { RunEvent } from '../loop/run-event.ts'
import { defaultLimit, searchToolName } from '../search/search-options.ts'

/** Reports the events of a run to a listener. An exception in the listener does not affect the run. */
export class RunLog {
  readonly #tell: (event: RunEvent) => void
  readonly #runId: string
  /** Number of Messages already reported: the context only grows. */
  #told = 0

  constructor(log: (event: RunEvent) => void, runId: string) {
    this.#runId = runId
    this.#tell = (event) => tellListener('log', log, event)
  }

  /** The options of the reported run. Requests of delegates are reported, their other steps are not. */
  over(options: AgentOptions): AgentOptions {
    const runId = this.#runId
    const { model, output, executor = inProcessExecutor, onSent, tools, search } = options
    this.#tell({
      event: 'start',
      version: 1,
      runId,
      at: Date.now(),
      model,
      ...(output !== undefined && { output: ownCopy(output) }),
      ...(search && { search: { name: search.name ?? searchToolName, limit: search.limit ?? defaultLimit } }),
    })
    return {
      ...options,
      executor: this.#executor(executor, tools),
      onSent: (sent) => {
        this.#tell({ event: 'sent', runId, at: Date.now(), ...sent })
        return onSent?.(sent)
      },
    }
  }

  end(result: AgentResult): void {
    const { output, suspended, context } = result
    const { usage, spent } = ownSums(result)
    this.#tell({
      event: 'end',
      runId: this.#runId,
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
      this.#tell({ event: 'end', runId: this.#runId, at: Date.now(), ...said, ...waits })
      return
    }
    const none = { usage: { in: 0, out: 0, cached: 0 }, spent: { turns: 0, calls: 0, tokens: 0 } }
    this.#tell({
      event: 'end',
      runId: this.#runId,
      at: Date.now(),
      error: errorData(error),
      messages: [],
      ...none,
    })
  }

  #executor(inner: ExecutorFactory, tools: AgentOptions['tools']): ExecutorFactory {
    return (perform): Executor => {
      const running = startExecutor(inner, perform)
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

  /** Reports a Call that started early once the answer is complete, with the times at which it ran. */
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

/** Converts the Outcome of a step to JSON; for a Request, the errors of its Calls too. */
function ownStep({ output, ...outcome }: PerformedOutcome): PerformedOutcome {
  if (outcome.tool !== requestTool || output === undefined) return ownOutcome({ ...outcome, output })
  return { ...ownOutcome(outcome), output: ownAnswer(output as RequestOutput) }
}

function ownAnswer({ rejected, started, native, ...rest }: RequestOutput): RequestOutput {
  return {
    ...ownCopy(rest),
    // Without ids from the provider, the lists of ids have holes, which are not JSON.
    ...(native && {
      native: { said: ownCopy(native.said), ids: [...native.ids], rejectedIds: [...native.rejectedIds] },
    }),
    ...(rejected && { rejected: rejected.map((each) => ({ ...each, call: ownCopy(each.call) })) }),
    started: Array.from(started, ([index, outcome]) => [index, ownOutcome(outcome)] as const),
  }
}

/** Returns the Calls that a Request started and that ran or wait for an approval: they are not steps of the executor. */
function startedEarly({ tool, output, error }: PerformedOutcome): readonly PerformedOutcome[] {
  if (tool !== requestTool) return []
  const { started = [] } = (output ?? {}) as Partial<RequestOutput>
  const { outcomes = [] } = (error ?? {}) as { outcomes?: readonly PerformedOutcome[] }
  // If the answer broke off, nothing waits any more.
  return [...Array.from(started, ([, outcome]) => outcome), ...outcomes.filter(({ approval }) => !approval)]
}

function errorData(error: unknown): ErrorData {
  if (isCallsheetError(error)) return error.toJSON()
  return { name: 'Error', code: 'internal', message: messageOf(error) }
}
