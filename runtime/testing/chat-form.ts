import type { JsonObject } from '../json/json.ts'
import type { AnswerForm, ModelAnswer, StreamEvent } from './model-answer.ts'

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

function toolCall(index: number, called: JsonObject): JsonObject {
  return { id: `call_${index}`, type: 'function', function: called }
}

/** The answers of chat completions. */
export const chatForm: AnswerForm = {
  whole(answer, model) {
    const { text, refusal, toolCalls = [] } = answer
    const calls = toolCalls.map((called, index) => toolCall(index, called))
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
    for (const content of pieces.text) {
      said += content.length
      events.push(chunk({ content }, said))
    }
    const { refusal, toolCalls = [] } = answer
    for (const [index, { name }] of toolCalls.entries()) {
      const start = { index, ...toolCall(index, { name, arguments: '' }) }
      events.push(chunk({ tool_calls: [start] }, said))
      for (const piece of pieces.toolCalls[index] ?? []) {
        said += piece.length
        events.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }, said))
      }
    }
    if (refusal !== undefined) events.push(chunk({ refusal }, said))
    events.push(chunk({}, said, finishReason(answer)))
    const { data } = chunk({}, said)
    events.push({ data: { ...data, choices: [], usage: chatUsage(answer) }, textSoFar: said })
    return events
  },
}
