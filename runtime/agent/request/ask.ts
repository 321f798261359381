import { Cancellation, doNothing, follow } from '../../call/controls/cancellation.ts'
import { pause } from '../../call/controls/pause.ts'
import { startTimer } from '../../call/controls/start-timer.ts'
import type { Outcome } from '../../call/outcome.ts'
import type { Call, Message } from '../../context/message.ts'
import { ActivityError } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { isSameJson } from '../../json/same-json.ts'
import { addUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { CallStream } from '../transport/call-stream.ts'
import { chatApi } from '../transport/chat-api.ts'
import { answerTooLong } from '../transport/limited-fetch.ts'
import { messagesApi } from '../transport/messages-api.ts'
import { apiOf, modelClient } from '../transport/model-client.ts'
import type {
  AnswerListener,
  ApiName,
  ConversationMessage,
  ModelApi,
  Reply,
  Send,
} from '../transport/reply.ts'
import { RequestError } from '../transport/request-error.ts'
import { isPassing, requestFailure } from '../transport/request-failure.ts'
import { responsesApi } from '../transport/responses-api.ts'
import type { AnswerFormat } from './answer-format.ts'
import { type Exchange, renderConversation } from './exchange.ts'
import { feedback } from './feedback.ts'
import { instructionsFor } from './instructions.ts'
import { type ModelOptions, modelOptionProblems } from './request-options.ts'
import { OutputText } from './text-for-people.ts'
import { watchStream } from './watch-stream.ts'

/** What one Request is about. */
export interface Ask<Answer> {
  readonly format: AnswerFormat<Answer>
  readonly context: readonly Message[]
  readonly hasOutput: boolean
  /** What the model said in earlier turns through the provider's own tools. */
  readonly exchanges?: readonly Exchange[] | undefined
  /** The provider's names of the Tools that a Message shows the model, where the provider keeps Tools back. */
  readonly shownBy?: ((message: Message) => readonly string[]) | undefined
  readonly signal?: AbortSignal | undefined
  /** Starts a Call that is complete while the rest is coming; undefined for one that has to wait. */
  readonly start?: ((call: Call, index: number) => Promise<Outcome> | undefined) | undefined
}

export interface Asked<Answer> {
  readonly answer: Answer
  /** What of the answer goes back to the model as its own words. */
  readonly said: Reply['said']
  /** What the model wrote besides tool calls. */
  readonly text: string
  /** Of all attempts. */
  readonly usage: TokenUsage
  readonly attempts: number
  readonly started: ReadonlyMap<number, Promise<Outcome>>
}

export const modelApis: Readonly<Record<ApiName, ModelApi>> = {
  chat: chatApi,
  responses: responsesApi,
  messages: messagesApi,
}

/** Limits that hold where nobody says others (REQ-8b). */
const defaults = { maxAnswer: 2_000_000, silence: 300_000, attemptTimeout: 600_000 }

/**
 * Asks a model once, in as many attempts as it takes.
 *
 * @throws RequestError; see its codes.
 */
export async function ask<Answer>(options: ModelOptions, question: Ask<Answer>): Promise<Asked<Answer>> {
  const problems = modelOptionProblems(options)
  if (problems.length > 0) throw new RequestError('invalid_options', `${problems.join('; ')}.`)
  const limits = new Limits(options, question.signal)
  try {
    return await new Asking(options, question, limits).answer()
  } finally {
    limits.release()
  }
}

/** What can stop a Request as a whole. */
class Limits {
  readonly cancellation: Cancellation = new Cancellation()
  readonly release: () => void

  constructor({ timeout }: ModelOptions, signal: AbortSignal | undefined) {
    const timer = startTimer(timeout, () => {
      this.cancellation.cancel(
        new ActivityError('timeout', `The Request did not finish within ${timeout} ms.`),
      )
    })
    const unfollow = follow(this.cancellation, signal, undefined)
    this.release = () => {
      clearTimeout(timer)
      unfollow()
    }
  }
}

/** One Request on its way to its answer. */
class Asking<Answer> {
  readonly #options: ModelOptions
  readonly #question: Ask<Answer>
  readonly #limits: Limits
  readonly #api: ApiName
  readonly #messages: ConversationMessage[]
  readonly #started = new Map<number, { readonly call: Call; readonly outcome: Promise<Outcome> }>()
  #attempts = 0
  #usage = noUsage
  #hasFedBack = false
  /** The answer of the last attempt, as far as there was a whole one. */
  #reply: Reply | undefined

  constructor(options: ModelOptions, question: Ask<Answer>, limits: Limits) {
    this.#options = options
    this.#question = question
    this.#limits = limits
    this.#api = apiOf(options)
    const { format, hasOutput, context, exchanges = [], shownBy } = question
    const instructions = instructionsFor({
      given: options.instructions,
      mode: format.mode,
      hasOutput,
      fields: format.fields,
      explain: options.explain,
    })
    this.#messages = renderConversation(context, exchanges, instructions, shownBy)
  }

  async answer(): Promise<Asked<Answer>> {
    const { cancellation } = this.#limits
    try {
      if (cancellation.reason) throw cancellation.reason
      const { maxAnswer = defaults.maxAnswer } = this.#options
      const send = modelApis[this.#api].sender(await modelClient(this.#options, this.#api, maxAnswer))
      for (;;) {
        this.#attempts++
        this.#reply = undefined
        try {
          return await this.#attempt(send)
        } catch (thrown) {
          await this.#beforeNext(this.#failure(thrown))
        }
      }
    } catch (thrown) {
      throw await this.#final(this.#failure(thrown))
    }
  }

  #failure(thrown: unknown): RequestError {
    const { reason } = this.#limits.cancellation
    return reason
      ? new RequestError(reason.code, reason.message, { cause: reason.cause })
      : requestFailure(thrown)
  }

  /** Waits for what another attempt needs, or throws the error again when there is none. */
  async #beforeNext(error: RequestError): Promise<void> {
    this.#usage = addUsage(this.#usage, error.usage)
    const { attempts = 3, maxWait = 60_000 } = this.#options.retry ?? {}
    if (this.#started.size > 0 || this.#attempts >= attempts) throw error
    if (isPassing(error)) {
      const wait = error.retryAfter ?? backoff(this.#options, this.#attempts)
      if (wait > maxWait) throw error
      if (wait > 0) await pause(wait, this.#limits.cancellation)
    } else if (error.code === 'answer_invalid' && !this.#hasFedBack) {
      this.#hasFedBack = true
      this.#messages.push(...feedback(error, this.#question.format.mode, this.#reply))
    } else throw error
  }

  /** What had started is waited for: it has one Outcome, and the caller needs to know it (REQ-7). */
  async #final(error: RequestError): Promise<RequestError> {
    const whole = { usage: this.#usage, attempts: this.#attempts }
    if (this.#started.size === 0) return error.with(whole)
    const outcomes = await Promise.all([...this.#started.values()].map(({ outcome }) => outcome))
    const ran = outcomes.map(({ tool, status }) => `"${tool}" ${status}`).join(', ')
    return new RequestError(
      'interrupted',
      `The answer broke off after Calls of it had started (${ran}), so it is not asked for again: ${error.message}`,
      { ...whole, outcomes, problems: error.problems, cause: error },
    )
  }

  async #attempt(send: Send): Promise<Asked<Answer>> {
    const { attemptTimeout = defaults.attemptTimeout } = this.#options
    const controller = new AbortController()
    const body = this.#body()
    const startedAt = Date.now()
    let late: RequestError | undefined
    let failure: unknown
    const giveUp = (message: string): void => {
      late = new RequestError('connection_failed', message)
      controller.abort(late)
    }
    const timer = startTimer(attemptTimeout, () =>
      giveUp(`No complete answer came within ${attemptTimeout} ms.`),
    )
    const forget = this.#limits.cancellation.onCancel((reason) => controller.abort(reason))
    try {
      const { signal } = controller
      const sent = await settledOrAborted(send(body, { signal }), signal)
      this.#reply = this.#options.stream
        ? await settledOrAborted(this.#streamed(sent, signal, giveUp), signal)
        : modelApis[this.#api].read(sent)
      return this.#read(this.#reply)
    } catch (thrown) {
      failure = late ?? thrown
      throw failure
    } finally {
      clearTimeout(timer)
      forget()
      // Whatever of the answer is left is not read, and its connection not kept.
      controller.abort()
      this.#tellSent(body, startedAt, failure)
    }
  }

  #tellSent(body: object, startedAt: number, failure: unknown): void {
    const reply = this.#reply
    this.#options.onSent?.({
      api: this.#api,
      attempt: this.#attempts,
      took: Date.now() - startedAt,
      body: body as JsonObject,
      ...(reply && { answer: reply.answer, usage: reply.usage }),
      ...(failure !== undefined && { error: this.#failure(failure).toJSON() }),
    })
  }

  #body(): object {
    const { model, stream = false, body } = this.#options
    const { schema, tools } = this.#question.format
    return modelApis[this.#api].body({ model, messages: this.#messages, schema, tools, stream, body })
  }

  async #streamed(answer: unknown, signal: AbortSignal, giveUp: (message: string) => void): Promise<Reply> {
    if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) {
      throw new RequestError('answer_invalid', 'The server sent no stream, though one was asked for.')
    }
    const { silence = defaults.silence } = this.#options
    const stream = watchStream(answer as AsyncIterable<unknown>, silence, () =>
      giveUp(`No complete answer came within ${silence} ms of silence in its stream.`),
    )
    return modelApis[this.#api].readStream(stream, this.#listener(signal))
  }

  #listener(signal: AbortSignal): AnswerListener {
    const { format, start } = this.#question
    const { maxAnswer = defaults.maxAnswer } = this.#options
    const calls = new CallStream()
    const tellText = this.#textTeller()
    let length = 0
    let index = 0
    // What is not a Call of an offered Tool has no place among the Calls of the solution.
    const offer = (call: Call | undefined): void => {
      if (call) this.#offer(call, index++)
    }
    return {
      onText: (text) => {
        // What still comes of an attempt that was given up starts nothing.
        if (signal.aborted) return
        if (start && format.liftCall) for (const value of calls.push(text)) offer(format.liftCall(value))
        tellText?.(text)
      },
      onToolCall: (called) => {
        if (start && !signal.aborted) offer(format.liftToolCall?.(called))
      },
      onGrowth: (characters) => {
        length += characters
        if (length > maxAnswer) throw answerTooLong(maxAnswer)
      },
    }
  }

  /** Tells a person what is written for them: all text where it is not JSON, else the goal's. */
  #textTeller(): ((text: string) => void) | undefined {
    const { onText } = this.#options
    if (!onText) return undefined
    const about = { attempt: this.#attempts }
    const { mode, schema } = this.#question.format
    const output = mode === 'native' && schema === undefined ? undefined : new OutputText()
    return (text) => {
      const said = output ? output.push(text) : text
      if (said !== '') onText(said, about)
    }
  }

  #offer(call: Call, index: number): void {
    const outcome = this.#question.start?.(call, index)
    if (outcome) this.#started.set(index, { call, outcome })
  }

  /** The answer is counted before it is judged: a bad one costs as much. */
  #read(reply: Reply): Asked<Answer> {
    const { text, usage, said } = reply
    if (reply.refusal !== undefined) {
      throw new RequestError('model_refused', `The model refused: ${reply.refusal}`, {
        text: reply.refusal,
        usage,
      })
    }
    if (reply.isTruncated) {
      const message =
        'The answer was cut off at the limit of tokens. Allow more, or offer fewer Tools at once.'
      throw new RequestError('answer_truncated', message, { text, usage })
    }
    const { maxAnswer = defaults.maxAnswer } = this.#options
    if (text.length > maxAnswer) throw answerTooLong(maxAnswer).with({ usage })
    try {
      const answer = this.#question.format.read(reply)
      this.#requireSame(answer)
      this.#usage = addUsage(this.#usage, usage)
      // Not told piece by piece, so it is told as a whole.
      if (!this.#options.stream) this.#textTeller()?.(text)
      const started = new Map([...this.#started].map(([index, { outcome }]) => [index, outcome]))
      return { answer, said, text, usage: this.#usage, attempts: this.#attempts, started }
    } catch (thrown) {
      throw unreadable(thrown).with({ usage })
    }
  }

  /** A Call that has started must be the one that the whole answer says. */
  #requireSame(answer: unknown): void {
    const { calls = [] } = answer as { calls?: readonly Call[] }
    for (const [index, { call }] of this.#started) {
      if (isSameJson(calls[index], call)) continue
      throw new RequestError('answer_invalid', `The answer says Call ${index} twice, and differently.`)
    }
  }
}

function backoff({ retry }: ModelOptions, attempt: number): number {
  const { backoff: given = (failed: number) => 500 * 2 ** (failed - 1) } = retry ?? {}
  return typeof given === 'function' ? given(attempt) : given
}

/** Nothing is wrong with the connection once the answer is there: arguments of a tool call may nest too deep to be read. */
function unreadable(thrown: unknown): RequestError {
  if (!(thrown instanceof RangeError)) return requestFailure(thrown)
  return new RequestError('answer_invalid', `The model's answer cannot be read: ${thrown.message}`, {
    cause: thrown,
  })
}

/** A client of one's own may not listen to the signal; the Request ends all the same. */
function settledOrAborted<Result>(work: PromiseLike<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    const done = (): void => signal.removeEventListener('abort', onAbort)
    Promise.resolve(work).then(resolve, reject).finally(done).catch(doNothing)
  })
}
