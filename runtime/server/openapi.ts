import { localReferences } from '../check-tree/local-references.ts'
import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { mapChildSchemas } from '../schema/schema-children.ts'
import { providerSafeName, shortHash } from '../schema/tool-name.ts'
import type { ServedTool } from './served-tools.ts'

/** The server's data in the document. */
export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  /** True if requests need credentials. */
  readonly isProtected: boolean
  /** The base path of the server; empty if there is none. */
  readonly basePath: string
}

/** Builds the OpenAPI 3.1 document of served Tools: one operation per Tool, `POST /tools/{name}`. */
export function openApiDocument(
  tools: readonly ServedTool[],
  { title, version, isProtected, basePath }: OpenApiInfo,
): JsonSchema {
  const schemas: Record<string, Schema> = { Problem: problemSchema }
  const ids = new Set<string>()
  const paths = Object.fromEntries(
    tools.map((tool) => {
      const id = operationIdOf(tool.name, ids)
      const input = hoisted(tool.inputSchema, `${id}.in.`, schemas)
      const output =
        tool.outputSchema === undefined ? undefined : hoisted(tool.outputSchema, `${id}.out.`, schemas)
      return [`/tools/${tool.name}`, { post: operation(tool, id, input, output) }]
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

function operation(
  tool: ServedTool,
  operationId: string,
  input: Schema,
  output: Schema | undefined,
): JsonSchema {
  const { title, description, deprecated } = tool
  return {
    operationId,
    summary: title ?? tool.name,
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    requestBody: { required: true, content: { 'application/json': { schema: input } } },
    responses: {
      ...(output === undefined
        ? { '204': { description: 'It was done.' } }
        : { '200': { description: 'The output.', content: { 'application/json': { schema: output } } } }),
      default: {
        description: 'Why it was not done.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

/**
 * Moves the definitions of a schema into the components of the document, since references there are relative to the document. `prefix`
 * separates the components of different Tools; operation ids contain no dot.
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
