import { pause } from '../../call/controls/pause.ts'
import { waitAfter } from '../../call/controls/retry.ts'
import type { Outcome } from '../../call/outcome.ts'
import type { Message } from '../../context/message.ts'
import { addUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { apiOf } from '../transport/choose-api.ts'
import { modelApis } from '../transport/model-apis.ts'
import { modelClient } from '../transport/model-client.ts'
import type { ApiName, ConversationMessage, Reply, Send } from '../transport/reply.ts'
import { RequestError } from '../transport/request-error.ts'
import { isPassing } from '../transport/request-failure.ts'
import type { AnswerFormat } from './answer-format.ts'
import { Attempt } from './attempt.ts'
import { type Exchange, renderConversation } from './exchange.ts'
import { feedback } from './feedback.ts'
import { instructionsFor } from './instructions.ts'
import { RequestLimits } from './request-limits.ts'
import type { ModelOptions } from './request-options.ts'
import { type ResponseFormat, responseFormatOf } from './response-format.ts'
import { type StartCall, StartedCalls } from './started-calls.ts'

/** The inputs of one Request. */
export interface Ask<Answer> {
  readonly format: AnswerFormat<Answer>
  readonly context: readonly Message[]
  readonly hasOutput: boolean
  /** The model's earlier turns with native tools. */
  readonly exchanges?: readonly Exchange[] | undefined
  /** Returns the provider's names of the Tools that a Message reveals, if the provider defers Tools. */
  readonly shownBy?: ((message: Message) => readonly string[]) | undefined
  readonly signal?: AbortSignal | undefined
  readonly start?: StartCall | undefined
  /**
   * True if the Request's end also ends the wait for Calls that `start` began: whoever gave it has their promises. A run
   * has to know every Outcome.
   */
  readonly leavesStarted?: boolean | undefined
}

export interface Asked<Answer> {
  readonly answer: Answer
  /** The part of the answer to send back as the model's own turn. */
  readonly said: Reply['said']
  /** The text next to the tool calls. */
  readonly text: string
  /** Tokens of all attempts. */
  readonly usage: TokenUsage
  readonly attempts: number
  readonly started: ReadonlyMap<number, Promise<Outcome>>
}

/**
 * Runs one Request, with retries.
 *
 * @throws RequestError See its codes.
 */
export async function ask<Answer>(options: ModelOptions, question: Ask<Answer>): Promise<Asked<Answer>> {
  const limits = new RequestLimits(options, question.signal)
  try {
    return await new Attempts(options, question, limits).answer()
  } finally {
    limits.release()
  }
}

/** The attempts of one Request. */
class Attempts<Answer> {
  readonly #options: ModelOptions
  readonly #format: AnswerFormat<Answer>
  readonly #limits: RequestLimits
  readonly #api: ApiName
  readonly #responseFormat: ResponseFormat
  readonly #messages: ConversationMessage[]
  readonly #started: StartedCalls
  readonly #leavesStarted: boolean
  #count = 0
  #usage = noUsage
  #hasFedBack = false

  constructor(options: ModelOptions, question: Ask<Answer>, limits: RequestLimits) {
    const { format, hasOutput, context, exchanges = [], shownBy, start, leavesStarted = false } = question
    this.#options = options
    this.#format = format
    this.#limits = limits
    this.#api = apiOf(options)
    this.#responseFormat = responseFormatOf(options, format)
    this.#started = new StartedCalls(start)
    this.#leavesStarted = leavesStarted
    const instructions = instructionsFor({
      given: options.instructions,
      mode: format.mode,
      hasOutput,
      fields: format.fields,
      explain: options.explain,
      schema: this.#responseFormat === 'json_schema' ? undefined : format.schema,
    })
    this.#messages = renderConversation(context, exchanges, instructions, shownBy)
  }

  async answer(): Promise<Asked<Answer>> {
    try {
      const send = await this.#sender()
      for (;;) {
        const attempt = this.#next(send)
        try {
          return this.#asked(await attempt.answer())
        } catch (thrown) {
          await this.#beforeNext(this.#limits.failure(thrown), attempt.reply)
        }
      }
    } catch (thrown) {
      throw await this.#final(this.#limits.failure(thrown))
    }
  }

  async #sender(): Promise<Send> {
    const { cancellation, maxAnswer } = this.#limits
    if (cancellation.reason) throw cancellation.reason
    return modelApis[this.#api].sender(await modelClient(this.#options, this.#api, maxAnswer))
  }

  #next(send: Send): Attempt<Answer> {
    const asking = {
      options: this.#options,
      api: this.#api,
      send,
      messages: this.#messages,
      format: this.#format,
      responseFormat: this.#responseFormat,
      started: this.#started,
      limits: this.#limits,
    }
    return new Attempt(asking, ++this.#count)
  }

  #asked({ reply, answer }: { readonly reply: Reply; readonly answer: Answer }): Asked<Answer> {
    const { said, text } = reply
    const usage = addUsage(this.#usage, reply.usage)
    return { answer, said, text, usage, attempts: this.#count, started: this.#started.outcomes() }
  }

  /** Waits until another attempt may begin, or rethrows the error if there is to be none. */
  async #beforeNext(error: RequestError, reply: Reply | undefined): Promise<void> {
    // An invalid answer costs tokens too.
    this.#usage = addUsage(this.#usage, error.usage)
    const { retry = {} } = this.#options
    const { attempts = 3, maxWait = 60_000 } = retry
    if (this.#started.count > 0 || this.#count >= attempts) throw error
    if (isPassing(error)) {
      const wait = error.retryAfter ?? waitAfter(retry.backoff ?? doubling, this.#count)
      if (wait > maxWait) throw error
      if (wait > 0) await pause(wait, this.#limits.cancellation)
    } else if (error.code === 'answer_invalid' && !this.#hasFedBack) {
      this.#hasFedBack = true
      this.#messages.push(...feedback(error, this.#format.mode, reply))
    } else throw error
  }

  /** Waits for the Calls that had started: the caller needs their Outcomes (REQ-7). */
  async #final(error: RequestError): Promise<RequestError> {
    const whole = { usage: this.#usage, attempts: this.#count }
    if (this.#started.count === 0) return error.with(whole)
    const { outcomes, running } = await this.#started.settled(
      this.#leavesStarted ? this.#limits.cancellation : undefined,
    )
    const ended = outcomes.map(({ tool, status }) => `"${tool}" ${status}`)
    const ran = [...ended, ...(running > 0 ? [`${running} still running`] : [])].join(', ')
    return new RequestError(
      'interrupted',
      `The answer broke off after Calls of it had started (${ran || this.#started.count}), so it is not asked for again: ${error.message}`,
      { ...whole, outcomes, problems: error.problems, cause: error },
    )
  }
}

function doubling(attempt: number): number {
  return 500 * 2 ** (attempt - 1)
}
