import type { JsonObject } from '../json/json.ts'

/** What a test model was asked: the body of the request, and through which API. */
export interface ModelRequest {
  readonly api: 'chat' | 'responses'
  readonly body: JsonObject
}

/** What a test model says, before it is put into the form of an API. */
export interface ModelAnswer {
  readonly text?: string
  readonly refusal?: string
  /** Calls of the provider's own tools; the arguments are JSON text. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[]
  /** The answer stops at the limit of tokens. */
  readonly isTruncated?: boolean
  readonly usage?: { readonly in: number; readonly out: number; readonly cached?: number }
}

/** One event of a streamed answer, and how much of the answer's text has come with it. */
export interface StreamEvent {
  readonly data: JsonObject
  readonly textSoFar: number
}

/** An answer as one API gives it. */
export interface AnswerForm {
  whole(answer: ModelAnswer, model: string): JsonObject
  /** @param pieces The answer's text, cut up. */
  events(answer: ModelAnswer, model: string, pieces: readonly string[]): StreamEvent[]
}

const noUsage = { in: 0, out: 0, cached: 0 }

function chatUsage({ usage = noUsage }: ModelAnswer): JsonObject {
  const { in: sent, out, cached = 0 } = usage
  return {
    prompt_tokens: sent,
    completion_tokens: out,
    total_tokens: sent + out,
    prompt_tokens_details: { cached_tokens: cached },
  }
}

function finishReason({ isTruncated, toolCalls = [] }: ModelAnswer): string {
  if (isTruncated) return 'length'
  return toolCalls.length > 0 ? 'tool_calls' : 'stop'
}

function chatToolCalls({ toolCalls = [] }: ModelAnswer): JsonObject[] {
  return toolCalls.map((called, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: called,
  }))
}

const chat: AnswerForm = {
  whole(answer, model) {
    const { text, refusal } = answer
    const calls = chatToolCalls(answer).map(({ index, ...call }) => call)
    const message = {
      role: 'assistant',
      content: text ?? null,
      refusal: refusal ?? null,
      ...(calls.length > 0 && { tool_calls: calls }),
    }
    return {
      id: 'chatcmpl-test',
      object: 'chat.completion',
      created: 0,
      model,
      choices: [{ index: 0, message, finish_reason: finishReason(answer), logprobs: null }],
      usage: chatUsage(answer),
    }
  },
  events(answer, model, pieces) {
    const chunk = (delta: JsonObject, textSoFar: number, finish: string | null = null): StreamEvent => ({
      data: {
        id: 'chatcmpl-test',
        object: 'chat.completion.chunk',
        created: 0,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
      textSoFar,
    })
    const events = [chunk({ role: 'assistant', content: '' }, 0)]
    let said = 0
    for (const content of pieces) {
      said += content.length
      events.push(chunk({ content }, said))
    }
    const { refusal } = answer
    if (refusal !== undefined) events.push(chunk({ refusal }, said))
    for (const call of chatToolCalls(answer)) events.push(chunk({ tool_calls: [call] }, said))
    events.push(chunk({}, said, finishReason(answer)))
    const { data } = chunk({}, said)
    events.push({ data: { ...data, choices: [], usage: chatUsage(answer) }, textSoFar: said })
    return events
  },
}

const responses: AnswerForm = {
  whole(answer, model) {
    const { text, refusal, toolCalls = [], isTruncated = false, usage = noUsage } = answer
    const content = [
      ...(text === undefined ? [] : [{ type: 'output_text', text, annotations: [] }]),
      ...(refusal === undefined ? [] : [{ type: 'refusal', refusal }]),
    ]
    const message = { type: 'message', id: 'msg_test', role: 'assistant', status: 'completed', content }
    const calls = toolCalls.map((called, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: `call_${index}`,
      ...called,
      status: 'completed',
    }))
    return {
      id: 'resp_test',
      object: 'response',
      created_at: 0,
      model,
      status: isTruncated ? 'incomplete' : 'completed',
      incomplete_details: isTruncated ? { reason: 'max_output_tokens' } : null,
      error: null,
      output: [...(content.length > 0 ? [message] : []), ...calls],
      usage: {
        input_tokens: usage.in,
        output_tokens: usage.out,
        total_tokens: usage.in + usage.out,
        input_tokens_details: { cached_tokens: usage.cached ?? 0 },
      },
    }
  },
  events(answer, model, pieces) {
    const response = this.whole(answer, model)
    const events: StreamEvent[] = [
      {
        data: { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        textSoFar: 0,
      },
    ]
    let said = 0
    for (const delta of pieces) {
      said += delta.length
      events.push({
        data: { type: 'response.output_text.delta', item_id: 'msg_test', delta },
        textSoFar: said,
      })
    }
    const type = answer.isTruncated ? 'response.incomplete' : 'response.completed'
    events.push({ data: { type, response }, textSoFar: said })
    return events
  },
}

export const answerForms: Readonly<Record<ModelRequest['api'], AnswerForm>> = { chat, responses }

/** Cuts a text up: after so many characters each, and at the given places. */
export function cutUp(text: string, length: number, places: readonly number[]): string[] {
  const ends = new Set(places)
  for (let end = length; end < text.length; end += length) ends.add(end)
  const sorted = [...ends, text.length]
    .filter((end) => end > 0 && end <= text.length)
    .sort((left, right) => left - right)
  return [...new Set(sorted)].map((end, index, all) => text.slice(all[index - 1] ?? 0, end))
}
