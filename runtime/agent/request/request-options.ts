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
import type { ConnectionOptions } from '../transport/model-client.ts'
import type { ApiName } from '../transport/reply.ts'
import { RequestError } from '../transport/request-error.ts'
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

/** What is asked: the rules of options that a Request and an Agent share. */
export const goalRules: Readonly<Record<'context' | 'output' | 'signal', FieldRule>> = {
  context: contextRule,
  output: [(value) => isReadable(value) || typeof value === 'boolean', 'a schema'],
  signal: signalRule,
}

/** What the options of a model must be. */
export const modelOptionRules: OptionRules<ModelOptions> = {
  client: [isReadable, 'a client of "openai" or "@anthropic-ai/sdk", or one like it'],
  provider: oneOf('openai', 'anthropic'),
  baseURL: someText,
  apiKey: text,
  model: [someText[0], 'the name of a model'],
  api: oneOf('chat', 'responses', 'messages'),
  dialect: oneOf(...dialectNames),
  mode: oneOf('auto', 'composed', 'native'),
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
  maxAnswer: [(value) => typeof value === 'number' && value > 0, 'characters above 0'],
  silence: duration,
  attemptTimeout: duration,
  retry: [isJsonObject, 'an object of options', { rules: retryRules }],
}

/** What a Request is asked with must be right before anything is sent: what is wrong is an error of the Request. */
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
