import type { JsonObject } from '../json/json.ts'
import { jsonOr } from '../json/json-or.ts'
import type { AnswerForm, ModelAnswer, StreamEvent } from './model-answer.ts'

/** The answers of Anthropic's messages. */
export const messagesForm: AnswerForm = {
  whole(answer, model) {
    return { ...head(answer, model), content: blocksOf(answer), ...stopOf(answer) }
  },

  events(answer, model, pieces) {
    const events: StreamEvent[] = []
    let said = 0
    const push = (data: JsonObject): number => events.push({ data, textSoFar: said })
    const { usage, ...start } = head(answer, model)
    const started = { ...(usage as JsonObject), output_tokens: 1 }
    push({ type: 'message_start', message: { ...start, content: [], stop_reason: null, usage: started } })
    push({ type: 'ping' })
    let calls = 0
    for (const [index, block] of blocksOf(answer).entries()) {
      const { text, input, ...rest } = block
      const isText = text !== undefined
      const empty = isText ? { text: '' } : { input: {} }
      push({ type: 'content_block_start', index, content_block: { ...rest, ...empty } })
      for (const piece of (isText ? pieces.text : pieces.toolCalls[calls++]) ?? []) {
        said += piece.length
        const delta = isText
          ? { type: 'text_delta', text: piece }
          : { type: 'input_json_delta', partial_json: piece }
        push({ type: 'content_block_delta', index, delta })
      }
      push({ type: 'content_block_stop', index })
    }
    const { out = 0 } = answer.usage ?? {}
    push({ type: 'message_delta', delta: stopOf(answer), usage: { output_tokens: out } })
    push({ type: 'message_stop' })
    return events
  },
}

function head({ usage = { in: 0, out: 0 } }: ModelAnswer, model: string): JsonObject {
  const { in: sent, out, cached = 0 } = usage
  return {
    id: 'msg_test',
    type: 'message',
    role: 'assistant',
    model,
    // Here cached tokens are counted separately.
    usage: {
      input_tokens: sent - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      output_tokens: out,
    },
  }
}

function blocksOf({ text = '', toolCalls = [] }: ModelAnswer): JsonObject[] {
  const calls = toolCalls.map((called, index) => ({
    type: 'tool_use',
    id: `toolu_${index}`,
    name: called.name,
    // A script may send arguments that are not JSON.
    input: jsonOr(called.arguments, called.arguments),
  }))
  return [...(text === '' ? [] : [{ type: 'text', text }]), ...calls]
}

function stopOf({ refusal, isTruncated, toolCalls = [] }: ModelAnswer): JsonObject {
  const stop_sequence = null
  if (refusal !== undefined) {
    const stop_details = { type: 'refusal', category: null, explanation: refusal }
    return { stop_reason: 'refusal', stop_sequence, stop_details }
  }
  if (isTruncated) return { stop_reason: 'max_tokens', stop_sequence }
  return { stop_reason: toolCalls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence }
}
