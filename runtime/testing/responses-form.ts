import type { JsonObject } from '../json/json.ts'
import type { AnswerForm, StreamEvent } from './model-answer.ts'

/** The answers of OpenAI's Responses API. */
export const responsesForm: AnswerForm = {
  whole(answer, model) {
    const {
      text,
      refusal,
      toolCalls = [],
      searched = [],
      isTruncated = false,
      usage = { in: 0, out: 0 },
    } = answer
    const content = [
      ...(text === undefined ? [] : [{ type: 'output_text', text, annotations: [] }]),
      ...(refusal === undefined ? [] : [{ type: 'refusal', refusal }]),
    ]
    const message = { type: 'message', id: 'msg_test', role: 'assistant', status: 'completed', content }
    const search = {
      type: 'tool_search_call',
      id: 'tsc_0',
      call_id: null,
      execution: 'server',
      arguments: {},
    }
    const shown = {
      type: 'tool_search_output',
      id: 'tso_0',
      call_id: null,
      execution: 'server',
      tools: searched,
    }
    const searches = [search, shown].map((item) => ({ ...item, status: 'completed' }))
    const calls = toolCalls.map((called, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: `call_${index}`,
      ...called,
      // Only the last one is cut off.
      status: isTruncated && index === toolCalls.length - 1 ? 'incomplete' : 'completed',
    }))
    return {
      id: 'resp_test',
      object: 'response',
      created_at: 0,
      model,
      status: isTruncated ? 'incomplete' : 'completed',
      incomplete_details: isTruncated ? { reason: 'max_output_tokens' } : null,
      error: null,
      output: [...(content.length > 0 ? [message] : []), ...(searched.length > 0 ? searches : []), ...calls],
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
    const push = (data: JsonObject): number => events.push({ data, textSoFar: said })
    for (const delta of pieces.text) {
      said += delta.length
      push({ type: 'response.output_text.delta', item_id: 'msg_test', delta })
    }
    let calls = 0
    for (const [output_index, item] of (response.output as JsonObject[]).entries()) {
      const { type, id: item_id } = item
      if (type === 'function_call') {
        const started = { ...item, arguments: '', status: 'in_progress' }
        push({ type: 'response.output_item.added', output_index, item: started })
        for (const delta of pieces.toolCalls[calls++] ?? []) {
          said += delta.length
          push({ type: 'response.function_call_arguments.delta', item_id, output_index, delta })
        }
      }
      push({ type: 'response.output_item.done', output_index, item })
    }
    push({ type: answer.isTruncated ? 'response.incomplete' : 'response.completed', response })
    return events
  },
}
