import { isJsonObject, type JsonObject, own } from '../../runtime/json/json.ts'
import { messageOf } from '../../runtime/problems/message-of.ts'
import type { Finding } from '../model.ts'
import { importFinding, inCopy, quoted } from './import-finding.ts'
import { plainJson, refusePromise } from './plain-json.ts'
import { schemaKeyword } from './schema-keywords.ts'

/** One tool of a source, independent of the source's format. */
export interface SourceTool {
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly input: JsonObject
  readonly output: JsonObject | undefined
  /** What stands in the place of the output's schema, where that is no object. */
  readonly malformedOutput?: unknown
  /** MCP's hints about the tool's effects. */
  readonly annotations: JsonObject | undefined
  /** Whether the schema declares `_tool`: it is a Callsheet Tool already, with meta-fields and options. */
  readonly native: boolean
  readonly places: SourcePlaces
}

/** A path of keys and indices into the source. */
export type SourcePath = readonly string[]

/** Where a tool and its schemas are in the source. */
interface SourcePlaces {
  readonly tool: SourcePath
  readonly input: SourcePath
  readonly output: SourcePath | undefined
}

/** A finding, and where in the source it is: at the first of these places that exists furthest. */
export interface PlacedFinding {
  readonly finding: Finding
  readonly places: readonly SourcePath[]
}

export interface ReadSource {
  readonly tools: readonly SourceTool[]
  readonly findings: readonly PlacedFinding[]
}

/**
 * Recognises the formats of {@link importTools}.
 *
 * @param fallbackName The name of a single schema without a name.
 */
export function readSource(source: unknown, fallbackName?: string): ReadSource {
  try {
    refusePromise(source)
    if (isJsonObject(source) && (Object.hasOwn(source, 'openapi') || Object.hasOwn(source, 'swagger'))) {
      return { tools: [], findings: [about([], openApiFinding)] }
    }
    const refused =
      isJsonObject(source) && own(source, 'jsonrpc') === '2.0' ? own(source, 'error') : undefined
    if (isJsonObject(refused)) return { tools: [], findings: [about(['error'], rpcErrorFinding(refused))] }
    return readEntries(entriesOf(source, fallbackName), incomplete(source))
  } catch (error) {
    const message = `The source is not JSON: ${messageOf(error)}.`
    return { tools: [], findings: [about([], importFinding('import-unreadable', message))] }
  }
}

function about(path: SourcePath, finding: Finding): PlacedFinding {
  return { finding, places: [path] }
}

function readEntries(entries: readonly Entry[], found: readonly PlacedFinding[]): ReadSource {
  const tools: SourceTool[] = []
  const findings = [...found]
  if (entries.length === 0) findings.push(about([], emptyFinding))
  for (const { value, name, namespace, at, path } of entries) {
    const read = readEntry(value, name, path)
    if (typeof read === 'object' && !('unreadable' in read) && read.name !== '')
      tools.push(namespace === undefined ? read : { ...read, name: `${namespace}.${read.name}` })
    else findings.push(about(path, entryFinding(read, at)))
  }
  return { tools, findings }
}

/** Reports an entry that is no tool. */
function entryFinding(read: SourceTool | string | Unreadable, at: string): Finding {
  if (typeof read === 'string') {
    return importFinding('import-not-a-function', `${at} is ${quoted(read)}, which has no schema to import.`)
  }
  if ('unreadable' in read) {
    const { unreadable, fix } = read
    return importFinding('import-unreadable', `${at} is ${unreadable}.`, { ...(fix && { fix }) })
  }
  return importFinding('import-name', `${at} has no name.`, {
    fix: 'Give it a "name", or a "title" in a schema.',
  })
}

/** Why an entry is not a tool. Other entries are not affected. */
interface Unreadable {
  readonly unreadable: string
  readonly fix?: string
}

function readEntry(value: unknown, name: string, path: SourcePath): SourceTool | string | Unreadable {
  try {
    const plain = plainJson(value)
    const read = isJsonObject(plain) ? readTool(plain, name, path) : undefined
    return read ?? { unreadable: `${quoted(plain)}: neither a tool nor a schema` }
  } catch (error) {
    return {
      unreadable: `not JSON: ${messageOf(error)}`,
      fix: `Correct it at its source; what lies deep can stand in "$defs". ${inCopy}`,
    }
  }
}

const openApiFinding = importFinding(
  'import-unreadable',
  'The source is an OpenAPI description: it lists operations, not tools.',
  {
    fix: 'Pass the parameters of each operation as a JSON Schema by its name, { "getPet": { "type": "object", … } }, or what an MCP server before that API lists.',
  },
)

const emptyFinding = importFinding('import-empty', 'The source lists no tools.')

function rpcErrorFinding(error: JsonObject): Finding {
  const message = `The source is a JSON-RPC error instead of a list of tools: ${quoted(own(error, 'message'))}.`
  return importFinding('import-unreadable', message, {
    fix: 'Ask the server for tools/list again, after "initialize" and with the headers that it needs, and import the result.',
  })
}

/** Warns of a paged list, which has a cursor for the next page. */
function incomplete(source: unknown): PlacedFinding[] {
  const page = isJsonObject(source) ? (own(source, 'result') ?? source) : undefined
  const cursor = isJsonObject(page) && Array.isArray(own(page, 'tools')) ? own(page, 'nextCursor') : undefined
  if (typeof cursor !== 'string' || cursor === '') return []
  const message = `The list goes on: "nextCursor" of its page is ${quoted(cursor)}.`
  const path = page === source ? ['nextCursor'] : ['result', 'nextCursor']
  return [about(path, importFinding('import-incomplete', message))]
}

interface Entry {
  readonly value: unknown
  readonly name: string
  /** The prefix of the tool's name. */
  readonly namespace?: string
  /** Its location in the source, for messages. */
  readonly at: string
  readonly path: SourcePath
}

function entriesOf(source: unknown, fallbackName = '', path: SourcePath = []): Entry[] {
  if (Array.isArray(source)) {
    return source.flatMap((value, index) => membersOf(value, `Entry ${index + 1}`, [...path, String(index)]))
  }
  if (!isJsonObject(source)) return [{ value: source, name: '', at: 'The source', path }]
  const list = ['result', 'toolConfig', 'config'].find((key) => listsTools(own(source, key)))
  if (list !== undefined) return entriesOf(own(source, list), '', [...path, list])
  const tools = own(source, 'tools')
  if (Array.isArray(tools)) return entriesOf(tools, '', [...path, 'tools'])
  // OpenAI's older format `functions`.
  const functions = own(source, 'functions')
  if (Array.isArray(functions)) return functionsOf(functions, 'The source', [...path, 'functions'])
  // One entry of Gemini's `tools` alone.
  if (declarationsKey(source) !== undefined) return declarationsOf(source, 'The source', path)
  if (looksLikeTool(source) || looksLikeSchema(source))
    return [{ value: source, name: fallbackName, at: 'The source', path }]
  return Object.entries(source).map(([name, value]) => ({
    value,
    name,
    at: `Entry ${quoted(name)}`,
    path: [...path, name],
  }))
}

function listsTools(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(own(value, 'tools'))
}

/** Lists the tools of an entry: OpenAI groups tools in namespaces, which become prefixes of their names. */
function membersOf(value: unknown, at: string, path: SourcePath): Entry[] {
  const isNamespace = isJsonObject(value) && own(value, 'type') === 'namespace' && listsTools(value)
  if (!isNamespace) return declarationsOf(value, at, path)
  const namespace = text(own(value, 'name'))
  return functionsOf(own(value, 'tools') as unknown[], at, [...path, 'tools']).map((entry) => ({
    ...entry,
    ...(namespace !== undefined && { namespace }),
  }))
}

/** Gemini groups its functions: one entry of `tools` declares any number of them. */
function declarationsOf(value: unknown, at: string, path: SourcePath): Entry[] {
  const key = declarationsKey(value)
  if (!isJsonObject(value) || key === undefined) return [{ value, name: '', at, path }]
  // The same entry can also switch on tools of the provider.
  const beside = providerKeys.filter((each) => isJsonObject(own(value, each)))
  return [
    ...functionsOf(own(value, key) as unknown[], at, [...path, key]), // safe cast: `find` looked
    ...beside.map((each) => ({ value: { [each]: {} }, name: '', at, path: [...path, each] })),
  ]
}

function declarationsKey(value: unknown): string | undefined {
  return ['functionDeclarations', 'function_declarations'].find(
    (each) => isJsonObject(value) && Array.isArray(own(value, each)),
  )
}

function functionsOf(list: readonly unknown[], at: string, path: SourcePath): Entry[] {
  return list.map((declared, index) => ({
    value: isJsonObject(declared) ? { type: 'function', ...declared } : declared,
    name: '',
    at: `${at}, function ${index + 1}`,
    path: [...path, String(index)],
  }))
}

/** @returns The tool, the type or key of a provider's own entry without a schema, or undefined for anything else. */
function readTool(
  value: JsonObject,
  fallbackName: string,
  path: SourcePath,
): SourceTool | string | undefined {
  const wrapper = wrappers.find((key) => isJsonObject(own(value, key)))
  if (wrapper !== undefined) {
    const wrapped = own(value, wrapper) as JsonObject // safe cast: `find` looked
    return readTool({ type: 'function', ...wrapped }, fallbackName, [...path, wrapper])
  }
  if (looksLikeTool(value)) {
    const inputKey = inputKeys.find((key) => Object.hasOwn(value, key))
    const input = (inputKey === undefined ? undefined : value[inputKey]) ?? {}
    if (!isJsonObject(input)) return undefined
    const outputKey = outputKeys.find((key) => isJsonObject(own(value, key)))
    const output =
      outputKey === undefined ? undefined : unwrapped(value[outputKey] as JsonObject, [...path, outputKey])
    const unwrappedInput = unwrapped(input, inputKey === undefined ? path : [...path, inputKey])
    const annotations = own(value, 'annotations')
    return {
      name: text(own(value, 'name')) ?? fallbackName,
      title:
        text(own(value, 'title')) ??
        (isJsonObject(annotations) ? text(own(annotations, 'title')) : undefined),
      description: text(own(value, 'description')),
      input: withExamples(unwrappedInput.schema, examplesOf(value)),
      output: output?.schema,
      malformedOutput: output ? undefined : own(value, 'outputSchema'),
      annotations: isJsonObject(annotations) ? annotations : undefined,
      native: false,
      places: { tool: path, input: unwrappedInput.path, output: output?.path },
    }
  }
  if (!looksLikeSchema(value)) {
    return text(own(value, 'type')) ?? providerKeys.find((key) => isJsonObject(own(value, key)))
  }
  return readPlainSchema(value, fallbackName, path)
}

/** Lists the examples beside the schema of a tool: Anthropic's, and those of the AI SDK, which wraps each. */
function examplesOf(tool: JsonObject): readonly unknown[] {
  const plain = own(tool, 'input_examples')
  if (Array.isArray(plain)) return plain
  const wrapped = own(tool, 'inputExamples')
  return Array.isArray(wrapped) ? wrapped.map((each) => (isJsonObject(each) ? own(each, 'input') : each)) : []
}

function withExamples(schema: JsonObject, examples: readonly unknown[]): JsonObject {
  return examples.length === 0 || Array.isArray(own(schema, 'examples')) ? schema : { ...schema, examples }
}

function readPlainSchema(schema: JsonObject, fallbackName: string, path: SourcePath): SourceTool {
  const properties = own(schema, 'properties')
  const tag = isJsonObject(properties) ? own(properties, '_tool') : undefined
  const declared = isJsonObject(tag) ? text(own(tag, 'const')) : undefined
  const title = text(own(schema, 'title'))
  return {
    name: (declared ?? fallbackName) || (title ?? ''),
    title,
    description: text(own(schema, 'description')),
    input: schema,
    output: undefined,
    annotations: undefined,
    native: declared !== undefined,
    places: { tool: path, input: path, output: undefined },
  }
}

/** Unwraps a JSON Schema, which the AI SDK (`jsonSchema(…)`) and Amazon Bedrock put into an object. */
function unwrapped(schema: JsonObject, path: SourcePath): { schema: JsonObject; path: SourcePath } {
  const key = ['jsonSchema', 'json'].find((each) => isJsonObject(own(schema, each)))
  if (key === undefined || looksLikeSchema(schema)) return { schema, path }
  return { schema: own(schema, key) as JsonObject, path: [...path, key] } // safe cast: `find` looked
}

/** The keys under which entries contain a tool: OpenAI, Amazon Bedrock. */
const wrappers = ['function', 'toolSpec']

/** The keys of entries without a schema, which the provider handles itself: Gemini's own tools, Amazon Bedrock's. */
const providerKeys = [
  ...['googleSearch', 'googleSearchRetrieval', 'googleMaps', 'enterpriseWebSearch', 'codeExecution'],
  ...['urlContext', 'fileSearch', 'computerUse', 'retrieval', 'mcpServers'],
  ...['cachePoint', 'systemTool'],
].flatMap((key) => [key, key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)])

/** The keys of the parameters' schema: MCP, Anthropic, OpenAI, Gemini, LangChain in JavaScript and in Python. */
const inputKeys = [
  'inputSchema',
  'input_schema',
  'parameters',
  'parametersJsonSchema',
  'schema',
  'args_schema',
]

/** The keys of the output's schema: MCP, Gemini. */
const outputKeys = ['outputSchema', 'responseJsonSchema', 'response']

function looksLikeTool(value: JsonObject): boolean {
  if (wrappers.some((key) => isJsonObject(own(value, key)))) return true
  const isNamed = typeof own(value, 'name') === 'string'
  const schemas = ['inputSchema', 'input_schema'].map((key) => own(value, key))
  if (schemas.some(isJsonObject) || (isNamed && schemas.includes(null))) return true
  const isFunction = own(value, 'type') === 'function'
  const isLabelled = isFunction || ['name', 'description'].some((key) => typeof own(value, key) === 'string')
  const hasParameters = ['parameters', 'schema', 'args_schema'].some((key) => isJsonObject(own(value, key)))
  if (hasParameters && !Object.hasOwn(value, 'properties')) return isLabelled
  return isFunction && isNamed
}

const combinations = ['allOf', 'anyOf', 'oneOf']

function looksLikeSchema(value: JsonObject): boolean {
  const type = own(value, 'type')
  if (type !== undefined && !isJsonObject(type)) return schemaKeyword('type')?.accepts(type) ?? false
  if (typeof own(value, '$schema') === 'string' || typeof own(value, '$ref') === 'string') return true
  const properties = own(value, 'properties')
  if (
    isJsonObject(properties) &&
    Object.values(properties).every((one) => isJsonObject(one) || typeof one === 'boolean')
  ) {
    return true
  }
  return combinations.some((keyword) => Array.isArray(own(value, keyword)))
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
