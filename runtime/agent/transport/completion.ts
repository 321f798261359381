import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import { RepeatedCalls } from '../../parse/repeated-calls.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import { filtered, serverGaveUp } from './answer-failures.ts'
import { readableArguments, readableName } from './readable-call.ts'
import type { Reply } from './reply.ts'
import { RequestError } from './request-error.ts'
import { thoughtsOf } from './thoughts.ts'
import { countedTokens } from './token-count.ts'

/**
 * Refuses answers with a server's own finish reason for a failure: DeepSeek, GLM and vLLM have some, and Gemini has one
 * for a call that it could not read itself.
 */
export function requireUsableEnd(finish: unknown, error: unknown, usage: TokenUsage): void {
  const reason = String(finish)
  if (/^(?:error|abort|network_error|insufficient_system_resource)$/.test(reason)) {
    throw serverGaveUp(error ?? reason, usage)
  }
  if (/malformed_function_call/i.test(reason)) {
    const message = 'The model wrote a tool call that its own server could not read.'
    throw new RequestError('answer_invalid', message, { usage })
  }
}

/** The finish reasons of a content filter: of OpenAI, GLM and Gemini. */
function isFiltered(finish: unknown): boolean {
  return /content_filter|sensitive|safety|recitation|blocklist|prohibited_content|spii/i.test(String(finish))
}

/** Reads a message of the model, whole or put together from a stream. */
export function replyOf(given: JsonObject, finish: unknown, usage: TokenUsage): Reply {
  const known = new RepeatedCalls()
  const { tool_calls } = given
  const message = Array.isArray(tool_calls)
    ? { ...given, tool_calls: tool_calls.filter((call) => !isRepeated(call, known)) }
    : given
  return {
    text: textOf(message.content),
    refusal: refusalOf(message) || (isFiltered(finish) ? filtered : undefined),
    // The second is Mistral's, for the end of the model's context.
    isTruncated: finish === 'length' || finish === 'model_length',
    usage,
    // Some servers omit the role, which marks the message as the assistant's.
    answer: { role: 'assistant', ...message },
    said: saidOf(message),
  }
}

function isRepeated(call: unknown, known: RepeatedCalls): boolean {
  const { id, function: called, custom } = isJsonObject(call) ? call : {}
  const { name, arguments: given = custom }: JsonObject = isJsonObject(called) ? called : {}
  return known.isRepeated(id, given, name)
}

/** The properties of a message that are sent back: servers refuse those that only they may set. */
function saidOf(message: JsonObject): JsonObject {
  const { content, tool_calls } = message
  const calls = Array.isArray(tool_calls) ? tool_calls.flatMap(readableCall) : []
  const hasCalls = calls.length > 0
  return {
    content: content === '' && hasCalls ? null : (content ?? ''),
    ...(hasCalls && { tool_calls: calls }),
    ...thoughtsOf(message),
  }
}

/** Returns a call to send back; nothing for an entry that calls no function, which would have no result. */
function readableCall(call: unknown): JsonObject[] {
  if (!isJsonObject(call)) return []
  const called = own(call, 'function')
  if (!isJsonObject(called)) return isJsonObject(own(call, 'custom')) ? [call] : []
  const { name, arguments: given } = called
  const readable = { ...called, name: readableName(name), arguments: readableArguments(given) }
  // Some servers leave out the type, without which a call is refused.
  return [{ ...call, type: 'function', function: readable }]
}

/** Returns the tokens that a server counted; none if it did not. */
export function usageOf(usage: unknown): TokenUsage {
  return countedTokens(usage, 'prompt_tokens', 'completion_tokens')
}

/** Returns the first choice; with `n`, the chunks of others may be in between. Some servers number them in text. */
export function firstOf(choices: unknown): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined
  return choices.filter(isJsonObject).find(({ index }) => Number(index ?? 0) === 0)
}

/** Joins the text, which some servers send in parts. */
export function textOf(content: unknown): string {
  return typeof content === 'string' ? content : partsOf(content, 'text')
}

/** Returns the model's refusal, which some servers send as a part of the content. */
export function refusalOf({ refusal, content }: JsonObject): string {
  return typeof refusal === 'string' && refusal !== '' ? refusal : partsOf(content, 'refusal')
}

function partsOf(content: unknown, member: 'text' | 'refusal'): string {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.map((part) => (typeof part[member] === 'string' ? part[member] : '')).join('')
}
