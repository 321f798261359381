import type { ReferenceMode } from '../../compose/admit-references.ts'
import type { ToolSelection } from '../../compose/select-tools.ts'
import type { DialectName } from '../../dialects/dialect-name.ts'
import type { JsonObject } from '../../json/json.ts'
import { briefly } from '../../problems/problem.ts'
import { type SearchOptions, searchOptionProblems } from '../search/search-options.ts'
import type { ConnectionOptions } from '../transport/model-client.ts'
import type { ApiName } from '../transport/reply.ts'
import type { ExplainedField } from './prompt-facts.ts'
import type { SentRequest } from './sent-request.ts'

/** How a failed Request is repeated. */
export interface RequestRetry {
  /** The most attempts in all, the first included; 3 by default. */
  readonly attempts?: number | undefined
  /** Milliseconds before the next attempt where the server says nothing; doubling from 500 by default. */
  readonly backoff?: (number | ((attempt: number) => number)) | undefined
  /** A server that asks for a longer wait than this is not waited for. In milliseconds; a minute by default. */
  readonly maxWait?: number | undefined
}

/** Which model is asked, and how. */
export interface ModelOptions extends ConnectionOptions {
  /** The model's name, as the server knows it. */
  readonly model: string
  /**
   * Chat completions, responses, or Anthropic's messages. By default what goes with the provider or the client: `chat`
   * for OpenAI's, `messages` for Anthropic's.
   */
  readonly api?: ApiName | undefined
  /** The dialect that the schema is lowered to; that of the API's provider by default. */
  readonly dialect?: DialectName | undefined
  /** One composed schema, the provider's own tools, or whichever fits (the default). */
  readonly mode?: 'auto' | 'composed' | 'native' | undefined
  /** What the system says before Callsheet explains the form of prompt and answer. */
  readonly instructions?: string | undefined
  /** Sentences in place of those that explain the fields of Calls (REQ-13); an empty one leaves its field unexplained. */
  readonly explain?: Readonly<Partial<Record<ExplainedField, string>>> | undefined
  /** These Tools and no others: names, `Toolkit.*`, or a function (REQ-15). */
  readonly only?: ToolSelection | undefined
  /** All Tools but these. */
  readonly without?: ToolSelection | undefined
  /** Offers a large set a few at a time: the Tools that are pinned, and a way to look for the others (FIND-2). */
  readonly search?: SearchOptions | undefined
  /** Where parameters admit References (REF-5); what the registry says by default. */
  readonly references?: ReferenceMode | undefined
  /** `keep` asks the model to predict the outputs of Activities (REQ-2); what the registry says by default. */
  readonly explicitOutput?: 'keep' | 'omit' | undefined
  /** Where `_output` stands in a branch; what the registry says by default. */
  readonly outputPosition?: 'last' | 'meta' | undefined
  /** Further members of the request's body, such as `temperature`. */
  readonly body?: JsonObject | undefined
  /** Lets the answer come in pieces, so that Calls can start before all of it is there (REQ-7). */
  readonly stream?: boolean | undefined
  /** Milliseconds for the Request, all attempts together. */
  readonly timeout?: number | undefined
  /**
   * Told of what the model writes for a person, as it comes: the text beside native tools, and the goal where its schema
   * is a string. An attempt that fails is followed by another, which begins from the start. What it throws goes to the
   * console and changes nothing.
   */
  readonly onText?: ((text: string, about: { readonly attempt: number }) => void) | undefined
  /**
   * Told of each attempt when it is over: the body as it was sent, and what came back. What it holds is as private as the
   * prompt. What it throws goes to the console and changes nothing.
   */
  readonly onSent?: ((sent: SentRequest) => void) | undefined
  /** Characters that an answer may have; two million by default. More end the Request with `limit_reached`. */
  readonly maxAnswer?: number | undefined
  /** Milliseconds of silence in a stream before it counts as broken off; five minutes by default. */
  readonly silence?: number | undefined
  /** Milliseconds for one attempt, ten minutes by default; a server that stalls is asked again after that. */
  readonly attemptTimeout?: number | undefined
  readonly retry?: RequestRetry | undefined
}

/**
 * Refuses options that would silently mean something else.
 *
 * @returns What is wrong with them, in words; nothing for options in order.
 */
export function modelOptionProblems(options: ModelOptions): string[] {
  const { model, timeout, attemptTimeout, silence, maxAnswer, retry, api, provider } = options
  const problems: string[] = []
  if (typeof model !== 'string' || model === '') problems.push('`model` must be the name of a model')
  for (const [name, value] of Object.entries({ timeout, attemptTimeout, silence, maxAnswer })) {
    if (value !== undefined && !(value > 0)) {
      const what = name === 'maxAnswer' ? 'characters' : 'milliseconds'
      problems.push(`\`${name}\` must be ${what} above 0, got ${value}`)
    }
  }
  if (api !== undefined && !['chat', 'responses', 'messages'].includes(api)) {
    problems.push(`\`api\` must be "chat", "responses" or "messages", got ${briefly(api)}`)
  }
  if (provider !== undefined && !['openai', 'anthropic'].includes(provider)) {
    problems.push(`\`provider\` must be "openai" or "anthropic", got ${briefly(provider)}`)
  }
  problems.push(...searchOptionProblems(options.search))
  const attempts = retry?.attempts
  if (attempts !== undefined && !(Number.isInteger(attempts) && attempts >= 1)) {
    problems.push(`\`retry.attempts\` must be a whole number from 1, got ${attempts}`)
  }
  return problems
}
