import type { Call, Message } from '../context/message.ts'
import type { ErrorData } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { briefly } from '../problems/problem.ts'
import type { AdmittedRequest } from './admitted-request.ts'
import { type CallRequest, idempotencyKey, readCallRequest } from './call-request.ts'
import type { Asker, CallRunner } from './call-runner.ts'
import { Ending, type StopSignal } from './ending.ts'
import { eventStream } from './event-stream.ts'
import { type Answer, jsonAnswer, type ServerRequest } from './exchange.ts'
import type { Principal } from './gate.ts'
import type { ServerLimits } from './limits.ts'
import { pass, passedHeader } from './passed-servers.ts'
import { callProblemAnswer, ServerProblem } from './problem-response.ts'
import { readJsonBody } from './read-json-body.ts'
import { contractHeader, type KnownContracts, requireContract } from './require-contract.ts'
import type { ServableTool } from './served-tools.ts'
import { wantsEvents } from './wants-events.ts'
import { withoutInstances } from './without-instances.ts'

/** The inputs of {@link CallEndpoints}. */
export interface CallEndpointsSettings {
  readonly tools: ServableTool
  readonly runner: CallRunner
  readonly limits: ServerLimits
  /** Earlier contracts whose callers are served too. */
  readonly contracts: KnownContracts | undefined
  /** Aborted when the server is closed. */
  readonly closing: StopSignal
  /** Receives the errors that broke off a stream of events. */
  readonly reportFault: (error: unknown) => void
}

/** Answers requests that run Calls, `POST /calls` and `POST /tools/<name>`, each as long as its client waits. */
export class CallEndpoints {
  readonly #settings: CallEndpointsSettings
  /** The work for requests, to abort when the server closes. */
  readonly #ending = new Set<Ending>()
  /**
   * Identifies this server among those a Call passes. Created with the first request: Cloudflare Workers have no
   * randomness before.
   */
  #id: string | undefined

  constructor(settings: CallEndpointsSettings) {
    this.#settings = settings
    settings.closing.addEventListener('abort', () => {
      for (const ending of this.#ending) ending.abort(settings.closing.reason)
    })
  }

  /** Answers `POST /calls`. */
  async answer({ request, principal, held }: AdmittedRequest): Promise<Answer> {
    const { limits, reportFault } = this.#settings
    const body = await readJsonBody(request, limits, held)
    this.#id ??= globalThis.crypto.randomUUID()
    const requested = {
      ...readCallRequest(body, request, limits),
      passed: pass(request.header(passedHeader), this.#id),
    }
    const calls = requested.calls.map(({ call }) => call)
    await this.#requireContract(request, principal, calls, requested.context)
    if (wantsEvents(request.header('accept'))) {
      const ending = new Ending()
      return eventStream(
        (follower) => {
          const asker = { principal, signal: ending, follower }
          return this.#during(request, () => this.#runRequested(requested, asker), ending)
        },
        (reason) => ending.abort(reason),
        reportFault,
      )
    }
    return jsonAnswer(
      await this.#during(request, (signal) => this.#runRequested(requested, { principal, signal })),
    )
  }

  /** Answers `POST /tools/<name>`, whose body consists of the parameters. */
  async answerByName({ request, principal, held }: AdmittedRequest, segment: string): Promise<Answer> {
    const { limits, runner } = this.#settings
    const name = decodedName(segment)
    const body = await readJsonBody(request, limits, held)
    if (!isJsonObject(body)) {
      throw new ServerProblem(
        'bad_request',
        `Expected the parameters of "${name.slice(0, 100)}" as a JSON object.`,
      )
    }
    if (body._tool !== undefined && body._tool !== name) {
      const path = `/tools/${encodeURIComponent(name)}`
      throw new ServerProblem(
        'bad_request',
        `The body names the Tool ${briefly(body._tool)}, and ${path.slice(0, 100)} runs another one. Leave \`_tool\` out, or send the Call to /calls.`,
      )
    }
    const id = idempotencyKey(request)
    // Nobody else uses the body, and a copy would cost more than its validation.
    const call = Object.assign(body, { _tool: name })
    const context: Message[] = []
    await this.#requireContract(request, principal, [call], context)
    const outcome = await this.#during(request, (signal) =>
      runner.runOne({ call, id }, { context, references: false }, { principal, signal }),
    )
    if (outcome.status !== 'succeeded')
      return callProblemAnswer(outcome.error ? withoutInstances(outcome.error) : withoutError)
    return outcome.output === undefined
      ? { status: 204, headers: {}, body: null }
      : jsonAnswer(outcome.output)
  }

  /** Refuses the Calls of a caller that states a different contract. */
  async #requireContract(
    request: ServerRequest,
    principal: Principal | undefined,
    calls: readonly Call[],
    context: readonly Message[],
  ): Promise<void> {
    const { tools, contracts } = this.#settings
    const known = request.header(contractHeader)
    if (known !== undefined) await requireContract(known, tools, principal, { calls, context }, contracts)
  }

  #runRequested(requested: CallRequest, asker: Asker): Promise<unknown> {
    const { runner } = this.#settings
    const { strategy } = requested
    if (strategy) return runner.runGroup({ ...requested, strategy }, asker)
    const [only] = requested.calls
    if (!only) throw new ServerProblem('bad_request', 'The request has no Call.')
    return runner.runOne(only, requested, asker)
  }

  /** Runs work for a request with a signal that aborts when its client leaves or the server closes. */
  async #during<Result>(
    request: ServerRequest,
    work: (signal: StopSignal) => Promise<Result>,
    ending = new Ending(),
  ): Promise<Result> {
    const { closing } = this.#settings
    const forget = request.onLeave((reason) => ending.abort(reason))
    this.#ending.add(ending)
    if (closing.aborted) ending.abort(closing.reason)
    try {
      return await work(ending)
    } finally {
      this.#ending.delete(ending)
      forget()
    }
  }
}

/** Reads a failure from a store that other software may have written. */
const withoutError: ErrorData = {
  name: 'CallsheetError',
  code: 'internal',
  message: 'The Call did not succeed, and its record does not say why.',
}

function decodedName(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ServerProblem('bad_request', `"${segment.slice(0, 100)}" is not the name of a Tool.`)
  }
}
