import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { malformedJson, notACall } from './parse-error.ts'
import type { ParsedCall } from './parsed-call.ts'
import { scanJson } from './scan-json.ts'
import { skip } from './skip.ts'

/** The Tool that a provider's form of a name means: `Kit__bold` is `Kit.bold`. */
export type ToolNamed = (sent: string) => string

/** What holds the arguments: OpenAI's and MCP's, Anthropic's, Gemini's, Llama's. Only the first may be JSON text. */
const argumentFields = ['arguments', 'input', 'args', 'parameters'] as const

/** What may stand beside name and arguments. Anything else, such as a description, makes it no call of a tool. */
const besides: ReadonlySet<string> = new Set([
  'name',
  'id',
  'call_id',
  'type',
  'status',
  'index',
  ...argumentFields,
])

/** What wraps a name and its arguments: OpenAI's `function`, its older `function_call`, Gemini's `functionCall`. */
const wrappers = ['function', 'function_call', 'functionCall'] as const

/** A provider's form: the object that has the name, and where it stands in the value. */
interface Form {
  readonly named: JsonObject & { readonly name: string }
  readonly path: string
}

/** True for a call in the words of a provider: then it is read, or refused, as one. */
export function isProviderForm(value: unknown): boolean {
  return formOf(value) !== undefined
}

function formOf(value: unknown): Form | undefined {
  if (!isJsonObject(value) || Object.hasOwn(value, '_tool')) return undefined
  for (const wrapper of wrappers) {
    const inside = own(value, wrapper)
    // The definition of a function has `parameters`, its call has not.
    if (isNamedCall(inside) && !Object.hasOwn(inside, 'parameters'))
      return { named: inside, path: `/${wrapper}` }
  }
  const hasArguments = argumentFields.some((field) => Object.hasOwn(value, field))
  return hasArguments && isNamedCall(value) ? { named: value, path: '' } : undefined
}

function isNamedCall(value: unknown): value is Form['named'] {
  return (
    isJsonObject(value) &&
    typeof own(value, 'name') === 'string' &&
    Object.keys(value).every((key) => besides.has(key))
  )
}

/**
 * Turns a call in a provider's words into a Call: `{ name, arguments }` with the arguments as an object or as JSON text,
 * `{ name, input }`, and the like, alone or as the `function` of a member of `tool_calls`.
 *
 * @param path Where it stands: a JSON pointer.
 * @returns undefined for anything else.
 * @throws CallError `invalid_call`; `malformed_json` for arguments as text that are none.
 */
export function fromProviderForm(
  value: unknown,
  path = '',
  toolNamed: ToolNamed = asSent,
): ParsedCall | undefined {
  const form = formOf(value)
  if (!form) return undefined
  const at = path + form.path
  const fields = argumentFields.filter((field) => Object.hasOwn(form.named, field))
  const [field = 'arguments'] = fields
  if (fields.length > 1)
    throw notACall(at, `one of ${fields.map((one) => `"${one}"`).join(' and ')}`, form.named)
  const given = fields.length === 0 ? {} : own(form.named, field)
  return namedCall(toolNamed(form.named.name), given, `${at}/${field}`, field === 'arguments')
}

const asSent: ToolNamed = (name) => name

/**
 * Makes the Call of a named Tool from its arguments by name: an object, or where `mayBeText` the JSON text of one. Some
 * models send an empty text for no arguments.
 *
 * @throws CallError as {@link fromProviderForm}.
 */
export function namedCall(tool: string, given: unknown, path: string, mayBeText: boolean): ParsedCall {
  const value = mayBeText && typeof given === 'string' ? parseArguments(given) : given
  if (!isJsonObject(value)) throw notACall(path, `the arguments of ${tool} as an object`, value)
  const named = own(value, '_tool')
  // Who reads the name must be able to trust it: a policy, a log, a person who approves.
  if (Object.hasOwn(value, '_tool') && named !== tool) {
    throw notACall(`${path}/_tool`, `"${tool}", as the call is named, or no "_tool"`, named)
  }
  return Object.fromEntries([
    ['_tool', tool],
    ...Object.entries(value).filter(([key]) => key !== '_tool'),
  ]) as ParsedCall
}

function parseArguments(text: string): unknown {
  const start = skip(/\s*/y, text, 0)
  if (start === text.length) return {}
  const { end, expected } = scanJson(text, start, false)
  if (expected) throw malformedJson(text, end, expected)
  const rest = skip(/\s*/y, text, end)
  if (rest < text.length) throw malformedJson(text, rest, 'nothing after the arguments')
  return JSON.parse(text)
}
