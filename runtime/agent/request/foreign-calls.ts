import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import { shorten } from '../../problems/shorten.ts'

/**
 * Describes the calls of an answer in a kind that was not offered: OpenAI's custom tools, which take free text, and
 * `function_call` of old chat completions, which has no id for its result.
 */
export function foreignCalls(answer: JsonObject): string[] {
  const items = [own(answer, 'tool_calls'), own(answer, 'output')]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter(isJsonObject)
  const custom = items.flatMap((item) => {
    const type = own(item, 'type')
    if (type === 'custom_tool_call') return [described(type, item)]
    const called = own(item, 'custom')
    return type === 'custom' && isJsonObject(called) ? [described(type, called)] : []
  })
  // Some servers repeat a tool call, or send an empty object, under the old name.
  const legacy = items.length === 0 ? own(answer, 'function_call') : undefined
  return isJsonObject(legacy) && own(legacy, 'name') ? [described('function_call', legacy)] : custom
}

function described(type: string, call: JsonObject): string {
  return shorten(`${type} ${JSON.stringify(own(call, 'name') ?? '')}`, 100)
}
