import type { Outcome } from '../../call/outcome.ts'
import type { ContextLike } from '../../context/context.ts'
import type { Call, GivenCall, Message } from '../../context/message.ts'
import { messagesOf } from '../../context/messages-of.ts'
import { requireMessages } from '../../context/require-messages.ts'
import { CallError, isCallsheetError } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { aFunction, isReadable } from '../../problems/field-rule.ts'
import { messageOf } from '../../problems/message-of.ts'
import type { OptionRules } from '../../problems/option-problems.ts'
import { plainGoal } from '../../schema/plain-goal.ts'
import type { JsonSchema, Schema } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { ReadSolution, RejectedCall, Solution } from '../ideas/solution.ts'
import { Vessel } from '../ideas/vessel.ts'
import type { AgentTools } from '../loop/agent-options.ts'
import { SearchingTools } from '../search/searching-tools.ts'
import { requirePinned, searchingTools } from '../search/with-search.ts'
import { apiOf, dialectOf } from '../transport/choose-api.ts'
import { modelApis } from '../transport/model-apis.ts'
import { RequestError } from '../transport/request-error.ts'
import { requestFailure } from '../transport/request-failure.ts'
import { ask } from './ask.ts'
import { type Exchange, exchangesRule } from './exchange.ts'
import { type OfferedTools, offeredTools, requestedComposition } from './offered-tools.ts'
import { goalRules, type ModelOptions, modelOptionRules, requireRequestOptions } from './request-options.ts'
import { solutionFormat } from './solution-format.ts'

/** Options of `Request`. */
export interface RequestOptions extends ModelOptions {
  /** The context that the model sees; never changed. */
  readonly context?: ContextLike | undefined
  /** The Tools it may call: the `Tool` of a registry, or schemas. */
  readonly tools?: OfferedTools | undefined
  /** The schema of the output, TypeBox or plain. Without one the model can only make Calls. */
  readonly output?: Schema | object | undefined
  /** For a conversation with native tools: the model's earlier turns and their results. */
  readonly exchanges?: readonly Exchange[] | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * With `stream`: receives each Call when its own JSON is complete, while the rest of the answer still arrives. To
   * start it, return a promise of its Outcome; otherwise return nothing. Once a Call has started, the Request is not
   * retried. Start only Calls that do not depend on the rest of the answer: those of Tools declared `read` or
   * `idempotent`.
   */
  readonly start?: ((call: Call, index: number) => Promise<Outcome> | undefined) | undefined
}

const requestOptionRules: OptionRules<RequestOptions> = {
  ...modelOptionRules,
  ...goalRules,
  tools: [isReadable, 'the Tool of a registry, a list of Tools, or Tools by name'],
  exchanges: exchangesRule,
  start: aFunction,
}

/** An answer with native tool calls. */
export interface NativeAnswer {
  readonly said: JsonObject
  /** The provider's ids of `solution.calls`, and of `rejected`. */
  readonly ids: readonly (string | undefined)[]
  readonly rejectedIds: readonly (string | undefined)[]
}

/** The result of a Request. */
export interface RequestResult<Output = unknown, Calls extends GivenCall = Call> {
  readonly solution: Solution<Output, Calls>
  /** Calls of the answer that cannot run, with the reason: their Tool was not offered, or they are unreadable (REQ-6a). */
  readonly rejected: readonly RejectedCall[]
  /** The record of the Request, to save and replay. */
  readonly vessel: Vessel<Output, Calls>
  /** Tokens of all attempts. */
  readonly usage: TokenUsage
  readonly attempts: number
  /** One composed schema, or the provider's own tools. */
  readonly mode: 'composed' | 'native'
  /** The text of the answer: JSON or, with native tools, the text for people. */
  readonly text: string
  /** With native tools: the model's turn to send back, with the ids that require a result. */
  readonly native?: NativeAnswer
  /** The Outcomes of Calls started by `start`, by their index in `solution.calls`. */
  readonly started: ReadonlyMap<number, Promise<Outcome>>
}

/**
 * Asks a model once which Tools to call, and for the output when it is done (REQ-6). Runs no Calls. Rate limits, server errors and
 * lost connections are retried, and an invalid answer is sent back once with its problems. The result is a complete, valid
 * Solution, or an error.
 *
 * @throws RequestError with the code `model_refused`, `answer_truncated`, `answer_invalid`, `rate_limited`,
 * `server_error`, `bad_request`, `connection_failed`, `timeout`, `aborted`, `interrupted`, `unsupported_schema` or
 * `invalid_options`.
 *
 * @example
 * ```ts
 * import { Request } from 'callsheet/agent'
 * import { type Call, Tool } from '../generated/index.js'
 *
 * const context = [{ type: 'text', text: 'What is the weather in Oslo?' }] as const
 * const { solution } = await Request<string, Call>({ model: 'gpt-5-mini', context, tools: Tool, output: { type: 'string' } })
 * for (const call of solution.calls) await Tool.run(call)
 * ```
 */
export async function Request<Output = unknown, Calls extends GivenCall = Call>(
  options: RequestOptions,
): Promise<RequestResult<Output, Calls>> {
  requireRequestOptions('Request', options, requestOptionRules)
  await orRequestError(() => requireMessages(options.context))
  const { declared: schema, context, endsWithNull, ...made } = await makeRequest<Output, Calls>(options, true)
  const { solution, usage } = made
  const vessel = new Vessel<Output, Calls>({
    schema,
    context,
    solution: options.output === undefined ? { calls: solution.calls } : solution,
    model: options.model,
    usage,
  })
  return { ...made, vessel }
}

/** The result of a Request, with the parts of its Vessel. */
interface MadeRequest<Output, Calls extends GivenCall> extends Omit<RequestResult<Output, Calls>, 'vessel'> {
  /** The composed schema that declares the answer. */
  readonly declared: JsonSchema
  readonly context: readonly Message[]
  /** True if the run is over with the output null. */
  readonly endsWithNull: boolean
}

/**
 * Makes a Request of a run: {@link Request} without validating the options, which the run has validated, and without a Vessel,
 * which would copy the schema and the whole context each turn.
 *
 * @param leavesStarted See {@link Ask}.
 */
export async function makeRequest<Output = unknown, Calls extends GivenCall = Call>(
  options: RequestOptions,
  leavesStarted: boolean = false,
): Promise<MadeRequest<Output, Calls>> {
  const { output, signal, start } = options
  const { format, context, exchanges, searching, shownBy } = await orRequestError(() => askable(options))
  const asked = await ask(options, {
    format,
    context,
    hasOutput: output !== undefined,
    exchanges: format.mode === 'native' ? exchanges : undefined,
    shownBy,
    signal,
    start,
    leavesStarted,
  })
  const { answer, usage, attempts, started, text } = asked
  // The one cast: the answer is valid under the schema, and the caller declares its type.
  const solution = { calls: answer.calls, output: answer.output } as Solution<unknown> as Solution<
    Output,
    Calls
  >
  return {
    declared: format.declared,
    context,
    endsWithNull: answer.endsWithNull,
    solution,
    rejected: answer.rejected.map((each) => withHint(each, searching?.hintFor(each.call._tool, context))),
    usage,
    attempts,
    mode: format.mode === 'native' ? 'native' : 'composed',
    text,
    started,
    ...(format.mode === 'native' && { native: nativeAnswer(asked.said, answer) }),
  }
}

/** Prepares a Request: the format of the answer, and the context. */
function askable(options: RequestOptions) {
  const api = apiOf(options)
  // Claude's limits leave little room for one composed schema of many Tools (REQ-5b).
  const { output, mode = api === 'messages' ? 'native' : 'auto', dialect = dialectOf(api) } = options
  // Turns from another API are represented by the Messages that resulted from them.
  const exchanges = options.exchanges?.filter(({ said }) => modelApis[api].hasForm(said))
  const context = [...messagesOf(options.context)]
  const offer = offerOf(options)
  const { searching } = offer
  const deferral = searching?.deferral(context, exchanges ?? [])
  const format = solutionFormat({
    tools: offeredTools(offer.tools, context),
    output: output === undefined ? undefined : plainGoal(output),
    compose: requestedComposition(offer, context),
    dialect,
    api: modelApis[api].native,
    mode: deferral ? 'native' : mode,
    strict: options.strict === false ? 'none' : searching ? 'in-order' : 'auto',
    deferral,
  })
  return { format, context, exchanges, searching, shownBy: deferral?.shownBy }
}

/** Returns the searching Tools of a Request with `search`, and its options without those that the search applies itself. */
function offerOf(options: RequestOptions): RequestOptions & { readonly searching?: SearchingTools } {
  const { tools, search } = options
  if (tools instanceof SearchingTools) return { ...options, searching: tools }
  if (!search) return options
  const searching = searchingTools(tools as AgentTools, options)
  requirePinned(tools as AgentTools, search)
  return { ...options, tools: searching, searching, only: undefined, without: undefined }
}

/** Adds advice for a Tool that was not offered because no search has found it yet. */
function withHint(rejected: RejectedCall, hint: string | undefined): RejectedCall {
  const { code, message, suggestions } = rejected.error
  if (hint === undefined || code !== 'unknown_tool') return rejected
  return { ...rejected, error: new CallError(code, `${message} ${hint}`, { suggestions }) }
}

function nativeAnswer(said: JsonObject, { ids, rejected }: ReadSolution): NativeAnswer {
  return { said, ids, rejectedIds: rejected.map(({ id }) => id) }
}

/** Converts an exception from before anything was sent, for example of a function in the options, to a RequestError. */
async function orRequestError<Result>(make: () => Result): Promise<Result> {
  try {
    return make()
  } catch (thrown) {
    if (isCallsheetError(thrown)) throw requestFailure(thrown)
    const what = `The Request could not be put together: ${messageOf(thrown)}`
    throw new RequestError('invalid_options', what, { cause: thrown })
  }
}
