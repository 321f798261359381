import {
  type AnyDataMessage,
  dataOf,
  isDataMessage,
  type Message,
  messageKind,
  type TextMessage,
} from '../../context/message.ts'
import type { JsonObject } from '../../json/json.ts'
import { declaredToolName } from '../../schema/declared-tool-name.ts'
import type { PromptMessage } from '../transport/reply.ts'

/**
 * Renders a context as the messages of a prompt: texts in their own roles, everything else as JSON in labelled blocks.
 * Deterministic: dates are left out, so that the same run sends the same prompt.
 *
 * Blocks cannot be forged: their JSON has no angle brackets, and a text that contains the tag of a block is changed so that it no
 * longer does. Messages of instances follow the global ones, grouped by instance, so that one Request can serve several (REQ-8).
 *
 * @param instructions The beginning of the system message.
 */
export function renderContext(messages: readonly Message[], instructions: string): PromptMessage[] {
  const global = messages.filter((message) => message._instance === undefined && !isSystem(message))
  const blocks = new Map<string, string[]>()
  for (const message of messages) {
    const { _instance: instance } = message
    if (instance === undefined) continue
    const known = blocks.get(instance)
    if (known) known.push(blockOf(message, instance))
    else blocks.set(instance, [blockOf(message, instance)])
  }
  const instances = Array.from(blocks.values(), (own): PromptMessage => {
    return { role: 'user', content: own.join('\n') }
  })
  const system = [
    instructions,
    ...messages.flatMap((message) => (isSystem(message) ? [withoutTags(message.text)] : [])),
  ]
  return merged([
    { role: 'system', content: system.join('\n\n') },
    ...global.map(globalMessage),
    ...instances,
  ])
}

/**
 * True for a text of the system. All stand at the beginning: the templates of many open models (Qwen, Gemma, Mistral) refuse one
 * elsewhere.
 */
export function isSystem(message: Message): message is TextMessage {
  const { type, _instance } = message
  return type === 'text' && _instance === undefined && /^(?:system|developer)$/.test(message.role ?? '')
}

function globalMessage(message: Message): PromptMessage {
  if (message.type !== 'text') return { role: 'user', content: blockOf(message) }
  const role = message.role === 'assistant' ? 'assistant' : 'user'
  return { role, content: withoutTags(message.text) }
}

const tags = ['data', 'tool', 'plan', 'error', 'text'] as const

/**
 * Matches the beginning or end of a block, in any spelling that a model might read as one. Spaces are allowed in one
 * place at a time: allowing them in two would take quadratic time.
 */
const tagPattern = new RegExp(String.raw`<(?=\s*(?:/\s*)?(?:${tags.join('|')})\b)`, 'gi')

function withoutTags(text: string): string {
  return text.replace(tagPattern, '&lt;')
}

function blockOf(message: Message, instance?: string): string {
  const attributes = instance === undefined ? {} : { instance }
  if (isDataMessage(message)) return dataBlock(message, attributes)
  switch (message.type) {
    case 'text':
      return block('text', { ...attributes, role: message.role ?? 'user' }, message.text)
    case 'tool': {
      const { description } = message.tool
      return block('tool', attributes, { name: declaredToolName(message.tool), description })
    }
    case 'plan':
      return block('plan', { ...attributes, mode: message.mode ?? 'eager' }, message.plan)
    case 'error':
      return block('error', attributes, message.data)
  }
}

function dataBlock(message: AnyDataMessage, attributes: Record<string, string>): string {
  const { description, schema, _path, _outputMethod, _call } = message
  return block(
    'data',
    { kind: messageKind(message), ...attributes },
    {
      ...(description !== undefined && { description }),
      ...(schema !== undefined && { schema }),
      ...(_path !== undefined && { path: _path }),
      ...(_outputMethod !== undefined && { method: _outputMethod }),
      ...(_call !== undefined && { call: shownCall(_call) }),
      data: dataOf(message),
    },
  )
}

/** Returns a Call for the prompt, without the output that the model predicted, which would only confuse. */
function shownCall(call: JsonObject): JsonObject {
  const { _output, _reasoningForCall, _activity, ...shown } = call
  return shown
}

function block(tag: (typeof tags)[number], attributes: Record<string, string>, content: unknown): string {
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}=${json(value)}`)
  return `<${tag}${named.join('')}>${json(content)}</${tag}>`
}

/** Serialises JSON without angle brackets, so that nothing in it can end its block. */
function json(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
}

/** Joins consecutive messages of one role, since some servers require alternating roles. */
function merged(messages: readonly PromptMessage[]): PromptMessage[] {
  const turns: PromptMessage[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role !== message.role) turns.push(message)
    else turns[turns.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` }
  }
  return turns
}
