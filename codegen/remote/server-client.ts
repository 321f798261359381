import type { Call, Message } from '../../runtime/context/message.ts'
import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { jsonOr } from '../../runtime/json/json-or.ts'
import { connectionReason, isNeverMade } from '../../runtime/problems/connection-reason.ts'
import { fetchThere, redirectTarget } from '../../runtime/server/fetch-there.ts'
import type { OutcomeJson } from '../../runtime/server/outcome-json.ts'
import { mayHaveRun } from '../../runtime/server/outcome-there.ts'
import { longestEvent, readEvents, type StreamedEvent } from '../../runtime/server/read-events.ts'
import { readStart } from '../../runtime/server/read-start.ts'
import { isWebAddress, withoutSecrets } from '../../runtime/server/web-address.ts'
import { GeneratorError } from '../generator-error.ts'
import { type ListedTools, listedTools } from './listed-tools.ts'
import { readOutcome } from './read-outcome.ts'

/** Client of a Tool server (`callsheet serve`, `toolServer`), used by the commands and the studio. */
export class ServerClient {
  /** The server's URL, without a slash at the end. */
  readonly base: string
  readonly #headers: Readonly<Record<string, string>>

  /** @throws GeneratorError `invalid_usage` if the URL cannot be that of a server. */
  constructor(url: string, headers: Readonly<Record<string, string>>) {
    if (!isWebAddress(url))
      throw wrongServer(
        `"${withoutSecrets(url)}" is not the URL of a server.`,
        'Write --url with http or https, without a query or credentials: --url http://127.0.0.1:3000.',
      )
    this.base = url.replace(/\/$/, '')
    this.#headers = headers
  }

  /**
   * Lists the server's Tools.
   *
   * @throws GeneratorError `invalid_usage` if the server does not answer, refuses the request, or is another kind of server.
   */
  async tools(): Promise<ListedTools> {
    const response = await this.#request('/tools', {})
    const answer = await jsonIn(response)
    const tools = isJsonObject(answer) ? answer.tools : undefined
    if (Array.isArray(tools)) return listedTools(tools)
    throw wrongServer(
      `${this.base} is not a Tool server: GET /tools returned no list of Tools.`,
      'Correct --url.',
    )
  }

  /**
   * Runs a Call on the server and returns its Outcome, whatever its status.
   *
   * @throws GeneratorError `invalid_usage` if the server does not answer, or refuses the request.
   */
  async run(call: { readonly _tool: string }): Promise<OutcomeJson> {
    const response = await this.#post({ call, references: false }, 'application/json')
    const { text, broke } = await readStart(response.body, longestEvent)
    const outcome = readOutcome(jsonOr(text, undefined))
    if (outcome) return outcome
    if (broke !== undefined) throw this.#noAnswer(broke)
    throw wrongServer(`${this.base} sent no Outcome.`, 'Correct --url.')
  }

  /**
   * Runs a Call on the server and yields its events as they happen.
   *
   * @throws GeneratorError as {@link run}; the reason of the signal if that is aborted.
   */
  async *follow(
    request: { readonly call: Call; readonly id: string; readonly context: readonly Message[] },
    signal: AbortSignal,
  ): AsyncGenerator<StreamedEvent> {
    const { body } = await this.#post(request, 'text/event-stream', signal)
    if (body) yield* readEvents(body)
  }

  #post(body: object, accept: string, signal?: AbortSignal): Promise<Response> {
    return this.#request('/calls', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  }

  /** Describes a Call whose answer did not come. */
  #noAnswer(error: unknown): GeneratorError {
    return wrongServer(
      `${this.base} did not answer the Call: ${connectionReason(error)}. Whether it ran is not known.`,
      'Look whether it did its work before you run it again.',
    )
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    let response: Response
    try {
      response = await fetchThere(fetch, `${this.base}${path}`, {
        ...init,
        headers: { ...this.#headers, ...init.headers },
      })
    } catch (error) {
      if (init.signal?.aborted) throw error
      if (init.method === 'POST' && !isNeverMade(error)) throw this.#noAnswer(error)
      throw wrongServer(
        `${this.base} does not answer: ${connectionReason(error)}.`,
        'Start it: callsheet serve.',
      )
    }
    if (response.ok) return response
    const target = redirectTarget(response)
    if (target !== undefined)
      throw wrongServer(
        `${this.base} redirects to ${withoutSecrets(target)}.`,
        'Use the address of that server in --url.',
      )
    const { status, headers } = response
    const answer = await jsonIn(response)
    const { code, detail }: JsonObject = isJsonObject(answer) ? answer : {}
    // Of no server of Tools, or of one that failed: a proxy may have given up on a Call that runs.
    const isUnknown = typeof code !== 'string' || code === 'internal'
    if (init.method === 'POST' && isUnknown && mayHaveRun(status, headers.has('retry-after'))) {
      throw this.#noAnswer(new Error(`status ${status}`))
    }
    const isBusy = status === 429 || status === 503
    throw wrongServer(
      `${this.base} refused the request: ${typeof detail === 'string' ? detail : `status ${status}.`}`,
      isBusy
        ? 'Try again later.'
        : 'Correct --url, or pass credentials with --header if the server requires them.',
    )
  }
}

/** Reads a response as JSON; undefined if it is not JSON, or is too long. */
async function jsonIn({ body }: Response): Promise<unknown> {
  const { text } = await readStart(body, longestEvent)
  return jsonOr(text, undefined)
}

function wrongServer(message: string, fix: string): GeneratorError {
  return new GeneratorError('invalid_usage', [{ message, fix }])
}
