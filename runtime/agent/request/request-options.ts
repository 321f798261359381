import type { DialectName } from '../../dialects/dialect-name.ts'
import type { JsonObject } from '../../json/json.ts'
import type { ConnectionOptions } from '../transport/model-client.ts'

/** How a failed Request is repeated. */
export interface RequestRetry {
  /** The most attempts in all, the first included; 3 unless said. */
  readonly attempts?: number
  /** Milliseconds before the next attempt where the server says nothing; doubling from 500 unless said. */
  readonly backoff?: number | ((attempt: number) => number)
  /** A server that asks for a longer wait than this is not waited for. In milliseconds; a minute unless said. */
  readonly maxWait?: number
}

/** Which model is asked, and how. */
export interface ModelOptions extends ConnectionOptions {
  /** The model's name, as the server knows it. */
  readonly model: string
  /** Chat completions (the default), or responses. */
  readonly api?: 'chat' | 'responses' | undefined
  /** How the schema is said; `openai` unless said. */
  readonly dialect?: DialectName | undefined
  /** One composed schema, the provider's own tools, or whichever fits (the default). */
  readonly mode?: 'auto' | 'composed' | 'native' | undefined
  /** What the system says before Callsheet explains the form of prompt and answer. */
  readonly instructions?: string | undefined
  /** Further members of the request's body, such as `temperature`. */
  readonly body?: JsonObject | undefined
  /** Lets the answer come in pieces, so that Calls can start before all of it is there (REQ-7). */
  readonly stream?: boolean | undefined
  /** Milliseconds for the Request, all attempts together. */
  readonly timeout?: number | undefined
  /** Milliseconds for one attempt; a server that stalls is asked again after that. */
  readonly attemptTimeout?: number | undefined
  readonly retry?: RequestRetry | undefined
}

/**
 * Refuses options that would silently mean something else.
 *
 * @returns What is wrong with them, in words; nothing for options in order.
 */
export function modelOptionProblems(options: ModelOptions): string[] {
  const { model, timeout, attemptTimeout, retry } = options
  const problems: string[] = []
  if (typeof model !== 'string' || model === '') problems.push('`model` must be the name of a model')
  for (const [name, value] of Object.entries({ timeout, attemptTimeout })) {
    if (value !== undefined && !(value > 0))
      problems.push(`\`${name}\` must be milliseconds above 0, got ${value}`)
  }
  const attempts = retry?.attempts
  if (attempts !== undefined && !(Number.isInteger(attempts) && attempts >= 1)) {
    problems.push(`\`retry.attempts\` must be a whole number from 1, got ${attempts}`)
  }
  return problems
}
