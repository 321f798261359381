import { doNothing } from '../../call/controls/cancellation.ts'
import { startTimer } from '../../call/controls/start-timer.ts'
import { isTooDeep } from '../../json/is-too-deep.ts'
import type { JsonObject } from '../../json/json.ts'
import { maximumDepth } from '../../json/json-copy.ts'
import { jsonOr } from '../../json/json-or.ts'
import { ownCopy } from '../../json/own-copy.ts'
import { tellListener } from '../../problems/tell-listener.ts'
import { mostUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { modelApis } from '../transport/model-apis.ts'
import type { ApiName, ConversationMessage, Reply, Send } from '../transport/reply.ts'
import { RequestError } from '../transport/request-error.ts'
import { wellFormed } from '../transport/well-formed.ts'
import { withFurtherMembers } from '../transport/with-further-members.ts'
import type { AnswerFormat } from './answer-format.ts'
import { judgeReply } from './judge-reply.ts'
import { listenToAnswer } from './listen-to-answer.ts'
import type { RequestLimits } from './request-limits.ts'
import type { ModelOptions } from './request-options.ts'
import { type ResponseFormat, sentSchema } from './response-format.ts'
import type { StartedCalls } from './started-calls.ts'
import { textTeller } from './text-for-people.ts'
import { StreamWatch } from './watch-stream.ts'

/** The part of the Request that an attempt uses. */
export interface Asking<Answer> {
  readonly options: ModelOptions
  readonly api: ApiName
  readonly send: Send
  readonly messages: readonly ConversationMessage[]
  readonly format: AnswerFormat<Answer>
  readonly responseFormat: ResponseFormat
  readonly started: StartedCalls
  readonly limits: RequestLimits
}

/** One attempt of a Request: sends it, reads the answer, and reports both to `onSent`. */
export class Attempt<Answer> {
  readonly #asking: Asking<Answer>
  /** Counted from 1. */
  readonly #number: number
  readonly #controller = new AbortController()
  readonly #watch: StreamWatch
  /** Set if the attempt took too long. */
  #late: RequestError | undefined
  /** The tokens that the server has reported in an unfinished stream. */
  #reported = noUsage
  /** True once the server has said that its stream is complete. */
  #isClosed = false
  /** The reply, once it is complete. */
  reply: Reply | undefined

  constructor(asking: Asking<Answer>, number: number) {
    this.#asking = asking
    this.#number = number
    const { silence } = asking.limits
    this.#watch = new StreamWatch(silence, () =>
      this.#giveUp(`No complete answer came within ${silence} ms of silence in its stream.`),
    )
  }

  async answer(): Promise<{ readonly reply: Reply; readonly answer: Answer }> {
    const { limits, api } = this.#asking
    const body = this.#body()
    const startedAt = Date.now()
    const { attemptTimeout } = limits
    const timer = startTimer(attemptTimeout, () =>
      this.#giveUp(`No complete answer came within ${attemptTimeout} ms.`),
    )
    const forget = limits.cancellation.onCancel((reason) => this.#controller.abort(reason))
    let failure: RequestError | undefined
    try {
      const { signal } = this.#controller
      const onData = (isLast: boolean): void => {
        this.#isClosed ||= isLast
        this.#watch.onData()
      }
      const sent = await settledOrAborted(this.#asking.send(body, { signal, onData }), signal)
      // Some servers ignore the request for a stream.
      const isStreamed = isStream(sent)
      const reply = isStreamed
        ? await settledOrAborted(this.#streamed(sent), signal)
        : modelApis[api].read(asJson(sent))
      this.reply = reply
      return { reply, answer: this.#read(reply, isStreamed) }
    } catch (thrown) {
      const failed = limits.failure(this.#late ?? thrown)
      failure = failed.with({ usage: mostUsage(failed.usage, this.#reported) })
      throw failure
    } finally {
      clearTimeout(timer)
      forget()
      // Do not read the rest of the answer, and close its connection.
      this.#controller.abort()
      this.#tellSent(body, startedAt, failure)
    }
  }

  #body(): JsonObject {
    const { options, api, messages, format, responseFormat } = this.#asking
    const { model, stream = false, strict = true, body } = options
    const { tools } = format
    const schema = sentSchema(format.schema, responseFormat)
    const isStored = body?.store !== false
    const question = wellFormed({ model, messages, schema, tools, stream, strict, isStored })
    return withFurtherMembers(modelApis[api].body(question), body)
  }

  async #streamed(sent: AsyncIterable<unknown>): Promise<Reply> {
    const { limits, format, started, options, api } = this.#asking
    const { maxAnswer } = limits
    const emitText = textTeller(options.onText, format, this.#number)
    const { signal } = this.#controller
    const onUsage = (usage: TokenUsage): void => {
      this.#reported = usage
    }
    const isClosed = (): boolean => this.#isClosed
    const listening = { format, started, emitText, maxAnswer, onUsage, isClosed, signal }
    return modelApis[api].readStream(this.#watch.over(sent), listenToAnswer(listening))
  }

  #read(reply: Reply, isStreamed: boolean): Answer {
    const { format, started, limits, options } = this.#asking
    const read = (whole: Reply): Answer =>
      readFirst(whole, (each) => {
        const answer = format.read(each)
        started.requireSame(answer)
        return answer
      })
    const answer = judgeReply(reply, read, limits.maxAnswer)
    // The text was not reported in pieces, so report it as a whole.
    if (!isStreamed) textTeller(options.onText, format, this.#number)?.(reply.text)
    return answer
  }

  #giveUp(message: string): void {
    this.#late = new RequestError('connection_failed', message)
    this.#controller.abort(this.#late)
  }

  #tellSent(body: JsonObject, startedAt: number, failure: RequestError | undefined): void {
    const { options, api } = this.#asking
    if (!options.onSent) return
    const { reply } = this
    tellListener('onSent', options.onSent, {
      api,
      attempt: this.#number,
      took: Date.now() - startedAt,
      body: ownCopy(body),
      ...(reply && { answer: ownCopy(shownAnswer(reply)), usage: ownCopy(reply.usage) }),
      ...(failure && { error: failure.toJSON() }),
    })
  }
}

/** Most messages of an answer that are read by themselves: each takes a look at all tool calls as well. */
const mostTexts = 8

/**
 * Reads the whole text or, if that is no answer and several messages make it up, the last of them that is one: a model may
 * write a draft before its answer.
 *
 * @throws RequestError The one of the whole text.
 */
function readFirst<Answer>(reply: Reply, read: (reply: Reply) => Answer): Answer {
  try {
    return read(reply)
  } catch (thrown) {
    const texts = (reply.texts ?? []).filter((text) => text.trim() !== '')
    if (texts.length < 2 || !isInvalidAnswer(thrown)) throw thrown
    for (const text of texts.slice(-mostTexts).reverse()) {
      try {
        return read({ ...reply, text })
      } catch (other) {
        if (!isInvalidAnswer(other)) throw other
      }
    }
    throw thrown
  }
}

function isInvalidAnswer(thrown: unknown): boolean {
  return thrown instanceof RequestError && thrown.code === 'answer_invalid'
}

/** Returns the answer for a listener, which mostly writes it as JSON. */
function shownAnswer({ answer, said }: Reply): JsonObject {
  return isTooDeep(answer, maximumDepth) ? said : answer
}

function isStream(sent: unknown): sent is AsyncIterable<unknown> {
  return typeof sent === 'object' && sent !== null && Symbol.asyncIterator in sent
}

/** Parses a body that the client returned as text, because the server did not declare it as JSON. */
function asJson(sent: unknown): unknown {
  return typeof sent === 'string' ? jsonOr(sent, sent) : sent
}

/** Ends the wait when the signal aborts, since a caller's own client may ignore it. */
function settledOrAborted<Result>(work: PromiseLike<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    const done = (): void => signal.removeEventListener('abort', onAbort)
    Promise.resolve(work).then(resolve, reject).finally(done).catch(doNothing)
  })
}
