import { backoffRule, signalRule } from '../../call/controls/require-options.ts'
import type { ReferenceMode } from '../../compose/admit-references.ts'
import { compositionChoiceRules } from '../../compose/composition-choices.ts'
import { selection, type ToolSelection } from '../../compose/select-tools.ts'
import { contextRule } from '../../context/context-rule.ts'
import { type DialectName, dialectNames } from '../../dialects/dialect-name.ts'
import { isJsonObject, type JsonObject } from '../../json/json.ts'
import {
  aFunction,
  count,
  duration,
  type FieldRule,
  flag,
  isReadable,
  mapOf,
  oneOf,
  someText,
  text,
} from '../../problems/field-rule.ts'
import { type OptionRules, optionProblems, wrongOptions } from '../../problems/option-problems.ts'
import { type SearchOptions, searchOptionRules } from '../search/search-options.ts'
import { characterLimit } from '../transport/limited-fetch.ts'
import type { ConnectionOptions } from '../transport/model-client.ts'
import type { ApiName } from '../transport/reply.ts'
import { RequestError } from '../transport/request-error.ts'
import type { ExplainedField } from './prompt-facts.ts'
import type { ResponseFormat } from './response-format.ts'
import type { SentRequest } from './sent-request.ts'

/** How a failed Request is retried. */
export interface RequestRetry {
  /** Most attempts, including the first. Default: 3. */
  readonly attempts?: number | undefined
  /** Milliseconds before the next attempt, unless the server sets them. Default: 500, doubled each time. */
  readonly backoff?: (number | ((attempt: number) => number)) | undefined
  /** Longest wait in milliseconds. If the server asks for more, the Request fails at once. Default: one minute. */
  readonly maxWait?: number | undefined
}

/** Which model to call, and how. */
export interface ModelOptions extends ConnectionOptions {
  /** The model's name on the server. */
  readonly model: string
  /**
   * Chat completions, responses, or Anthropic's messages. Default: `messages` for Anthropic, `responses` for OpenAI's own server,
   * `chat` for all others with its API.
   */
  readonly api?: ApiName | undefined
  /** The dialect that the schema is lowered to. Default: that of the API's provider. */
  readonly dialect?: DialectName | undefined
  /** `composed`: one composed schema. `native`: the provider's native tools. `auto` (the default): whichever fits. */
  readonly mode?: 'auto' | 'composed' | 'native' | undefined
  /**
   * How the model is told the schema of its answer. `json_schema`: as the response format, which the server enforces. `json_object`:
   * in the prompt, with the server's JSON mode, which Anthropic's API has not. `text`: in the prompt alone. Default: `text` next
   * to native tools, unless the server is known to take both (OpenAI, Azure, Anthropic), else `json_schema`.
   */
  readonly responseFormat?: ResponseFormat | undefined
  /**
   * `false` asks for nothing to be enforced as `strict`, neither tools nor the schema of the answer: some servers refuse the word
   * (Vertex AI and Bedrock for Claude; Groq for most models). Default: true, for as many Tools as the provider allows.
   */
  readonly strict?: boolean | undefined
  /** The beginning of the system message, before Callsheet's explanation of the format. */
  readonly instructions?: string | undefined
  /** Replaces the sentences that explain the fields of Calls (REQ-13); an empty string removes one. */
  readonly explain?: Readonly<Partial<Record<ExplainedField, string>>> | undefined
  /** Offers only these Tools: names, `Toolkit.*`, or a predicate (REQ-15). */
  readonly only?: ToolSelection | undefined
  /** Offers all Tools except these. */
  readonly without?: ToolSelection | undefined
  /** Offers a large set a few at a time: the pinned Tools, and a Tool to search for the others (FIND-2). */
  readonly search?: SearchOptions | undefined
  /** Which parameters admit References (REF-5). Default: the registry's option. */
  readonly references?: ReferenceMode | undefined
  /** `keep` asks the model to predict the outputs of Activities (REQ-2). Default: the registry's option. */
  readonly explicitOutput?: 'keep' | 'omit' | undefined
  /** The position of `_output` in a branch. Default: the registry's option. */
  readonly outputPosition?: 'last' | 'meta' | undefined
  /** Additional properties of the request's body, such as `temperature`. */
  readonly body?: JsonObject | undefined
  /** Streams the answer, so that Calls can start before it is complete (REQ-7). */
  readonly stream?: boolean | undefined
  /** Timeout in milliseconds for all attempts together. */
  readonly timeout?: number | undefined
  /**
   * Receives the text that the model writes for people as it arrives: the text next to native tool calls, and the output if its
   * schema is a string. After a failed attempt, the next one begins from the start. An exception is logged and changes
   * nothing.
   */
  readonly onText?: ((text: string, about: { readonly attempt: number }) => void) | undefined
  /**
   * Receives each finished attempt: the body that was sent, and the answer. It contains the whole prompt, so it is as private. An
   * exception is logged and changes nothing.
   */
  readonly onSent?: ((sent: SentRequest) => void) | undefined
  /**
   * Longest answer, in characters; a longer one ends the Request with `limit_reached`. Default: two million. Of a
   * `client` of your own, only what it passes on is counted: see `limitedFetch`.
   */
  readonly maxAnswer?: number | undefined
  /**
   * Milliseconds of silence after which a stream counts as broken off. Default: five minutes. Pings and comments end a silence too;
   * `attemptTimeout` ends a stream of nothing else.
   */
  readonly silence?: number | undefined
  /** Milliseconds for one attempt, after which the Request is retried. Default: ten minutes. */
  readonly attemptTimeout?: number | undefined
  readonly retry?: RequestRetry | undefined
}

const retryRules: OptionRules<RequestRetry> = {
  attempts: count,
  backoff: backoffRule,
  maxWait: [(value) => typeof value === 'number' && value >= 0, 'milliseconds from 0'],
}

const explainRules: OptionRules<Readonly<Record<ExplainedField, string>>> = {
  _outputPath: text,
  references: text,
  _activity: text,
  _scopes: text,
  _instance: text,
  _delegate: text,
  _outputMethod: text,
}

/** The rules for the options that Requests and Agents share. */
export const goalRules: Readonly<Record<'context' | 'output' | 'signal', FieldRule>> = {
  context: contextRule,
  output: [(value) => isReadable(value) || typeof value === 'boolean', 'a schema'],
  signal: signalRule,
}

/** The rules for the options about the model. */
export const modelOptionRules: OptionRules<ModelOptions> = {
  client: [isReadable, 'a client of "openai" or "@anthropic-ai/sdk", or one like it'],
  provider: oneOf('openai', 'anthropic'),
  baseURL: someText,
  apiKey: text,
  model: [someText[0], 'the name of a model'],
  api: oneOf('chat', 'responses', 'messages'),
  dialect: oneOf(...dialectNames),
  mode: oneOf('auto', 'composed', 'native'),
  strict: flag,
  responseFormat: oneOf('json_schema', 'json_object', 'text'),
  instructions: text,
  explain: [isJsonObject, 'sentences by field', { rules: explainRules }],
  only: selection,
  without: selection,
  search: [isJsonObject, 'an object of options', { rules: searchOptionRules, isCopied: true }],
  ...compositionChoiceRules,
  body: mapOf('an object of further members of the body'),
  stream: flag,
  timeout: duration,
  onText: aFunction,
  onSent: aFunction,
  maxAnswer: characterLimit,
  silence: duration,
  attemptTimeout: duration,
  retry: [isJsonObject, 'an object of options', { rules: retryRules }],
}

/** Validates the options before anything is sent; problems are a RequestError. */
export function requireRequestOptions<Options extends object>(
  of: string,
  options: unknown,
  rules: OptionRules<Options>,
): void {
  const problems = optionProblems(options, rules, '', ['model'])
  if (problems.length === 0) return
  const { message } = wrongOptions(of, problems)
  throw new RequestError('invalid_options', message, { problems })
}
