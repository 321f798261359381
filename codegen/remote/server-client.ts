import type { Call, Message } from '../../runtime/context/message.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { messageOf } from '../../runtime/problems/message-of.ts'
import type { OutcomeJson } from '../../runtime/server/outcome-json.ts'
import { readEvents, type StreamedEvent } from '../../runtime/server/read-events.ts'
import { isWebAddress } from '../../runtime/server/web-address.ts'
import { GeneratorError } from '../generator-error.ts'
import { type ListedTools, listedTools } from './listed-tools.ts'
import { toldOutcome } from './told-outcome.ts'

/** A server of Tools (`callsheet serve`, `toolServer`), as commands reach it. */
export class ServerClient {
  /** Its address, without a slash at the end. */
  readonly base: string
  readonly #headers: Readonly<Record<string, string>>

  /** @throws GeneratorError `invalid_usage` for what is not the address of a server. */
  constructor(url: string, headers: Readonly<Record<string, string>>) {
    if (!isWebAddress(url))
      throw wrongServer(
        `"${url}" is not the URL of a server.`,
        'Write --url with http or https, without a query or credentials: --url http://127.0.0.1:3000.',
      )
    this.base = url.replace(/\/$/, '')
    this.#headers = headers
  }

  /**
   * Lists its Tools.
   *
   * @throws GeneratorError `invalid_usage` where it does not answer, refuses, or is another kind of server.
   */
  async tools(): Promise<ListedTools> {
    const response = await this.#ask('/tools', {})
    const answer: unknown = await response.json().catch(() => undefined)
    const tools = isJsonObject(answer) ? answer.tools : undefined
    if (Array.isArray(tools)) return listedTools(tools)
    throw wrongServer(`${this.base} is not a server of Tools: GET /tools gives no list.`, 'Correct --url.')
  }

  /**
   * Runs a Call there. What the Call comes to is its Outcome, whatever that is.
   *
   * @throws GeneratorError `invalid_usage` where the server does not answer, or refuses.
   */
  async run(call: { readonly _tool: string }): Promise<OutcomeJson> {
    const response = await this.#post({ call, references: false }, 'application/json')
    const outcome = toldOutcome(await response.json().catch(() => undefined))
    if (outcome) return outcome
    throw wrongServer(`${this.base} sent no Outcome.`, 'Correct --url.')
  }

  /**
   * Runs a Call there, and gives what happens as it happens.
   *
   * @throws GeneratorError as {@link run}; the reason of the signal once that is aborted.
   */
  async *follow(
    request: { readonly call: Call; readonly id: string; readonly context: readonly Message[] },
    signal: AbortSignal,
  ): AsyncGenerator<StreamedEvent> {
    const { body } = await this.#post(request, 'text/event-stream', signal)
    if (body) yield* readEvents(body)
  }

  #post(body: object, accept: string, signal?: AbortSignal): Promise<Response> {
    return this.#ask('/calls', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  }

  async #ask(path: string, init: RequestInit): Promise<Response> {
    let response: Response
    try {
      response = await fetch(`${this.base}${path}`, {
        ...init,
        headers: { ...this.#headers, ...init.headers },
      })
    } catch (error) {
      if (init.signal?.aborted) throw error
      throw wrongServer(`${this.base} does not answer: ${whyOf(error)}.`, 'Start it: callsheet serve.')
    }
    if (response.ok) return response
    if (response.redirected)
      throw wrongServer(
        `${this.base} sends on to ${response.url}.`,
        'Use the address of that server in --url.',
      )
    throw wrongServer(
      `${this.base} refuses: ${await reasonIn(response)}`,
      'Correct --url, or say who asks with --header, where it wants to know.',
    )
  }
}

/** `fetch failed` says nothing; what it was caused by does. */
function whyOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown }
  return messageOf(cause ?? error)
}

async function reasonIn(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => undefined)
  const detail = isJsonObject(answer) ? answer.detail : undefined
  return typeof detail === 'string' ? detail : `status ${response.status}.`
}

function wrongServer(message: string, fix: string): GeneratorError {
  return new GeneratorError('invalid_usage', [{ message, fix }])
}
