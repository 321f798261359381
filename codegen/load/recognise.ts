import { isJsonObject, type JsonObject, own } from '../../runtime/json/json.ts'
import { isMetaField } from '../../runtime/schema/meta-fields.ts'
import { olderDelegateName } from '../../runtime/schema/older-delegate-name.ts'
import { validationLibrary } from '../validation-library.ts'

/** The kind of an exported value. */
export type Recognised =
  | { readonly is: 'tool'; readonly name: string }
  | { readonly is: 'shared' }
  | { readonly is: 'state' }
  | { readonly is: 'idea' }
  | { readonly is: 'container'; readonly members: readonly (readonly [string, unknown])[] }
  | { readonly is: 'malformed'; readonly why: string; readonly fix: string }
  | { readonly is: 'nothing' }

/** Keywords whose value identifies a plain object as a JSON Schema. */
const schemaKeywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => typeof value === 'string' || isListOf(value, 'string'),
  $ref: (value) => typeof value === 'string',
  $id: (value) => typeof value === 'string',
  anyOf: Array.isArray,
  oneOf: Array.isArray,
  allOf: Array.isArray,
  enum: Array.isArray,
  required: (value) => isListOf(value, 'string'),
  description: (value) => typeof value === 'string',
  title: (value) => typeof value === 'string',
}

/** Options that only a Tool has (TOOL-9). */
const onlyOfTools = ['effects', 'parser', 'parameters', 'enabled']

/** What the values of a file are expected to be. */
export type Expected = 'any' | 'tool' | 'idea'

/**
 * Recognises an exported value.
 *
 * @param fallbackName The name of a Tool that does not declare `_tool` (TOOL-1).
 * @param expected `tool` if every object schema is a Tool, as in a JSON file; `idea` in an `*.idea.json`.
 */
export function recognise(value: unknown, fallbackName: string, expected: Expected = 'any'): Recognised {
  if (expected === 'idea' || isIdea(value)) return { is: 'idea' }
  const library = validationLibrary(value)
  if (library)
    return { is: 'malformed', why: `it is a schema of ${library.name}, which is code`, fix: library.fix }
  if (!isJsonObject(value) && !Array.isArray(value)) return { is: 'nothing' }
  if (Array.isArray(value))
    return { is: 'container', members: value.map((member, at) => [String(at), member]) }
  if (own(value, '~callsheet') === 'context') return { is: 'state' }
  for (const { when, why, fix } of mistakes) if (when(value)) return { is: 'malformed', why, fix }
  if (isSchema(value)) return recogniseSchema(value, fallbackName, expected)
  return { is: 'container', members: Object.entries(value) }
}

/** True for an Idea or a Vessel, also as plain JSON: the schema of an answer, and Messages. */
function isIdea(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    Array.isArray(own(value, 'context')) &&
    isJsonObject(own(value, 'schema')) &&
    Object.keys(value).every((key) => ideaMembers.has(key))
  )
}

const ideaMembers: ReadonlySet<string> = new Set(['schema', 'context', 'solution', 'model', 'usage'])

function recogniseSchema(schema: JsonObject, fallbackName: string, expected: Expected): Recognised {
  const declared = declaredTool(schema)
  if (declared !== undefined) {
    const name = literalOf(declared)
    return typeof name === 'string' ? { is: 'tool', name } : malformedName(declared)
  }
  const isTool = expected === 'tool' || isToolWithoutName(schema)
  if (!isTool) return { is: 'shared' }
  const { type = 'object' } = schema
  return type === 'object'
    ? { is: 'tool', name: fallbackName }
    : {
        is: 'malformed',
        why: `it has the type ${JSON.stringify(type)}, and a Tool is an object`,
        fix: 'Declare its parameters as properties of a schema with "type": "object".',
      }
}

/** True for a JSON Schema or TypeBox type of any kind. */
export function isSchema(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  if (typeof own(value, '~kind') === 'string') return true
  if (Object.getOwnPropertySymbols(value).some(({ description }) => description === 'TypeBox.Kind'))
    return true
  return Object.entries(schemaKeywords).some(
    ([keyword, fits]) => Object.hasOwn(value, keyword) && fits(value[keyword]),
  )
}

/**
 * Returns the schema of `_tool`: of the object itself, of the definition in its own `$defs` that it refers to (a recursive TypeBox
 * type), or of a part of an intersection.
 */
function declaredTool(schema: unknown, depth = 0): unknown {
  if (!isJsonObject(schema) || depth > 8) return undefined
  const properties = own(schema, 'properties')
  if (isJsonObject(properties) && Object.hasOwn(properties, '_tool')) return properties._tool
  const definitions = own(schema, '$defs')
  const reference = own(schema, '$ref')
  if (isJsonObject(definitions) && typeof reference === 'string') {
    const target = own(definitions, reference.replace(/^#\/\$defs\//, ''))
    const found = declaredTool(target, depth + 1)
    if (found !== undefined) return found
  }
  const parts = own(schema, 'allOf')
  if (!Array.isArray(parts)) return undefined
  for (const part of parts) {
    const found = declaredTool(part, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function literalOf(declared: unknown): unknown {
  if (!isJsonObject(declared)) return undefined
  const values = own(declared, 'enum')
  return own(declared, 'const') ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined)
}

function malformedName(declared: unknown): Recognised {
  const got = isJsonObject(declared) ? JSON.stringify(declared) : String(declared)
  return {
    is: 'malformed',
    why: `its "_tool" is ${got}, and must be the literal of one name`,
    fix: "Declare it as Type.Literal('weatherCheck'), or use tool('weatherCheck', …), which does.",
  }
}

function isToolWithoutName(schema: JsonObject): boolean {
  const { properties } = schema
  if (!isJsonObject(properties)) return false
  return (
    onlyOfTools.some((option) => Object.hasOwn(schema, option)) ||
    Object.keys(properties).some((name) => isMetaField(name) || name === olderDelegateName)
  )
}

/** Describes values that are meant as Tools and cannot be read as such. */
const mistakes: readonly {
  readonly when: (value: JsonObject) => boolean
  readonly why: string
  readonly fix: string
}[] = [
  {
    when: (value) => isSchema(own(value, '_tool')),
    why: 'it has "_tool" as a member of its own, so it is the properties of a Tool and not a Tool',
    fix: 'Wrap it: Type.Object({ _tool: …, … }), or tool(name, { … }).',
  },
  {
    when: (value) => typeof own(value, '_tool') === 'string' && isJsonObject(own(value, 'properties')),
    why: 'its "_tool" stands beside its properties and not among them',
    fix: 'Move it there, as a schema of one value: "properties": { "_tool": { "const": "weatherCheck" }, … }.',
  },
  {
    when: (value) => typeof own(value, '_tool') === 'string',
    why: 'it is a Call (its "_tool" is a string), not the declaration of a Tool',
    fix: 'Export the Tool that the Call is for: tool(name, { … }).',
  },
  {
    when: isForeignTool,
    why: 'it is a tool in the form of MCP or of a provider, with its schema one level down',
    fix: 'Turn it into a definition with: callsheet import FILE',
  },
  {
    when: (value) => typeof own(value, 'then') === 'function' || value instanceof Promise,
    why: 'it is a promise',
    fix: 'Await it: export const weatherCheck = await …',
  },
]

/** True for a tool in the form of MCP's `tools/list`, OpenAI or Anthropic. */
export function isForeignTool(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  if (own(value, 'type') === 'function' && isJsonObject(own(value, 'function'))) return true
  const schemas = ['inputSchema', 'input_schema', 'parameters'].map((key) => own(value, key))
  // The AI SDK names a tool by its key, and wraps its schema.
  const wrapped = schemas.filter(isJsonObject).map((schema) => schema.jsonSchema)
  return wrapped.some(isSchema) || (typeof own(value, 'name') === 'string' && schemas.some(isSchema))
}

function isListOf(value: unknown, type: 'string'): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type)
}
