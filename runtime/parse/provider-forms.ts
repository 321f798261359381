import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { malformedJson, notACall } from './parse-error.ts'
import type { ParsedCall } from './parsed-call.ts'
import { RepeatedCalls } from './repeated-calls.ts'
import { scanJson } from './scan-json.ts'
import { skip } from './skip.ts'

/** Maps a provider's form of a name to the Tool's name: `Kit__bold` to `Kit.bold`. */
export type ToolNamed = (sent: string) => string

/** The properties that contain arguments: of OpenAI and MCP, Anthropic, Gemini, Llama. Only the first may be JSON text. */
const argumentFields = ['arguments', 'input', 'args', 'parameters'] as const

/** The other properties a call may have. An object with any further one, such as a description, is not a tool call. */
const besides: ReadonlySet<string> = new Set([
  'name',
  'id',
  'call_id',
  'type',
  'status',
  'index',
  ...argumentFields,
])

/** Properties that wrap a name and its arguments: OpenAI's `function`, its older `function_call`, Gemini's `functionCall`. */
const wrappers = ['function', 'function_call', 'functionCall'] as const

/** A tool call in a provider's form: the object with the name, and its JSON pointer in the value. */
interface Form {
  readonly named: JsonObject & { readonly name: string }
  readonly path: string
}

/** True for a tool call in a provider's form, well-formed or not. */
export function isProviderForm(value: unknown): value is JsonObject {
  return formOf(value) !== undefined
}

/** Leaves out each call in a provider's form that was said before, with its id. */
export function saidOnce(items: readonly unknown[]): unknown[] {
  const known = new RepeatedCalls()
  return items.filter(
    (item) => !isProviderForm(item) || !known.isRepeated(own(item, 'call_id') ?? own(item, 'id'), item),
  )
}

function formOf(value: unknown): Form | undefined {
  if (!isJsonObject(value) || Object.hasOwn(value, '_tool')) return undefined
  for (const wrapper of wrappers) {
    const inside = own(value, wrapper)
    // A function definition has `parameters`, a function call does not.
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
 * Converts a tool call in a provider's form to a Call: `{ name, arguments }` with the arguments as an object or as JSON text,
 * `{ name, input }` and similar ones, alone or as the `function` of an entry of `tool_calls`.
 *
 * @param path JSON pointer of the value, for errors.
 * @returns undefined for anything else.
 * @throws CallError `invalid_call`; `malformed_json` for arguments as text that is not JSON.
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
 * Builds the Call of a named Tool from its arguments: an object or, if `mayBeText`, the JSON text of one. Some models send an
 * empty string for no arguments.
 *
 * @throws CallError as {@link fromProviderForm}.
 */
export function namedCall(tool: string, given: unknown, path: string, mayBeText: boolean): ParsedCall {
  const value = mayBeText && typeof given === 'string' ? parseArguments(given) : given
  if (!isJsonObject(value)) throw notACall(path, `the arguments of ${tool} as an object`, value)
  const named = own(value, '_tool')
  // Policies, logs and people who approve Calls must be able to trust the name.
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
