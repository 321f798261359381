import { localReferences } from '../check-tree/local-references.ts'
import { rejectsMissing } from '../check-tree/rejects-missing.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { mapChildSchemas } from '../schema/schema-children.ts'
import { providerSafeName, shortHash } from '../schema/tool-name.ts'
import { idempotencyHeader, longestId } from './call-request.ts'
import type { ServedTool } from './served-tools.ts'

/** The server's data in the document. */
export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  /** True if requests need credentials. */
  readonly isProtected: boolean
  /** The base path of the server; empty if there is none. */
  readonly basePath: string
  /** Tells whether the Tool of a name declares an `_outputPath`. */
  readonly writes: (name: string) => boolean
}

/** Builds the OpenAPI 3.1 document of served Tools: one operation per Tool, `POST /tools/{name}`. */
export function openApiDocument(
  tools: readonly ServedTool[],
  { title, version, isProtected, basePath, writes }: OpenApiInfo,
): JsonSchema {
  const schemas: Record<string, Schema> = { Problem: problemSchema }
  const ids = new Set<string>()
  const paths = Object.fromEntries(
    tools.map((tool) => {
      const id = operationIdOf(tool.name, ids)
      const input = hoisted(tool.inputSchema, `${id}.in.`, schemas)
      const output =
        tool.outputSchema === undefined ? undefined : hoisted(tool.outputSchema, `${id}.out.`, schemas)
      return [`/tools/${tool.name}`, { post: operation(tool, id, input, output, mayBeMissing(tool, writes)) }]
    }),
  )
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: isProtected ? [{ bearer: [] }] : [],
    paths,
    components: {
      schemas,
      parameters: { IdempotencyKey: idempotencyKeyParameter },
      headers: { RetryAfter: retryAfterHeader },
      ...(isProtected && { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }),
    },
  }
}

/** Makes operation ids unique: generation refuses Tools whose names have the same form, but Tools registered at run time may. */
function operationIdOf(name: string, taken: Set<string>): string {
  const safe = providerSafeName(name)
  const id = taken.has(safe) ? `${safe}_${shortHash(name)}` : safe
  taken.add(id)
  return id
}

/**
 * True if a Call of the Tool may succeed without an output: it declares none, allows any, or has an `_outputPath`,
 * whose Activity may return a Message instead (ACT-6). Not said of the others, so that typed clients need no check.
 */
function mayBeMissing({ name, outputSchema }: ServedTool, writes: OpenApiInfo['writes']): boolean {
  if (outputSchema === undefined || writes(name)) return true
  return !rejectsMissing(outputSchema, localReferences(outputSchema))
}

function operation(
  tool: ServedTool,
  operationId: string,
  input: Schema,
  output: Schema | undefined,
  mayBeEmpty: boolean,
): JsonSchema {
  const { title, description, deprecated } = tool
  return {
    operationId,
    summary: title ?? tool.name,
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    requestBody: { required: true, content: { 'application/json': { schema: input } } },
    responses: {
      ...(output !== undefined && {
        '200': { description: 'The output.', content: { 'application/json': { schema: output } } },
      }),
      ...(mayBeEmpty && { '204': { description: 'It was done, and there is no output.' } }),
      default: {
        description: 'Why it was not done.',
        headers: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

/**
 * Moves the definitions of a schema into the components of the document, since references there are relative to the
 * document. `prefix` separates the components of different Tools; operation ids contain no dot.
 */
function hoisted(root: Schema, prefix: string, components: Record<string, Schema>): Schema {
  const targets = localReferences(root)
  const names = new Map<Schema, string>()
  const waiting: [name: string, target: Schema][] = []
  const move = (schema: Schema): Schema => {
    if (!isJsonObject(schema)) return schema
    const { $schema, $defs, definitions, $id, $ref, ...rest } = schema
    const moved = mapChildSchemas(rest, move)
    const target = typeof $ref === 'string' ? targets.schemaOf($ref) : undefined
    return target === undefined
      ? moved
      : { ...moved, $ref: `#/components/schemas/${componentOf(target, $ref)}` }
  }
  const componentOf = (target: Schema, ref: unknown): string => {
    const known = names.get(target)
    if (known !== undefined) return known
    const wanted = prefix + componentName(String(ref))
    const name = Object.hasOwn(components, wanted) ? `${wanted}.${names.size}` : wanted
    names.set(target, name)
    // Reserve its position and fill it later: a chain of definitions can be longer than the stack is deep.
    components[name] = {}
    waiting.push([name, target])
    return name
  }
  const moved = move(root)
  for (const [name, target] of waiting) components[name] = move(target)
  return moved
}

/** Returns the last segment of a reference in the characters of component names: letters, digits, `.`, `-` and `_`. */
function componentName(ref: string): string {
  const last = ref.slice(ref.lastIndexOf('/') + 1)
  return last.replaceAll(/[^\w-]/g, '_') || 'root'
}

const idempotencyKeyParameter: JsonObject = {
  name: idempotencyHeader,
  in: 'header',
  description:
    'Identifies the Call: sent twice under the same key, it runs once. Another Call under a used key is answered with 409.',
  schema: { type: 'string', minLength: 1, maxLength: longestId },
}

const retryAfterHeader: JsonObject = {
  description: 'With 429 and 503: the seconds to wait before the request is repeated.',
  schema: { type: 'integer', minimum: 0 },
}

const problemSchema: JsonSchema = {
  type: 'object',
  description: 'A problem (RFC 9457).',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          expected: { type: 'string' },
          received: { type: 'string' },
          message: { type: 'string' },
        },
        required: ['path', 'expected', 'received', 'message'],
      },
    },
    suggestions: { type: 'array', items: { type: 'string' } },
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
}
