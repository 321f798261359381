import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { mapChildSchemas } from '../schema/schema-children.ts'
import { providerSafeName } from '../schema/tool-name.ts'
import type { ServedTool } from './served-tools.ts'

/** What a document says of its server. */
export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  /** True where requests need credentials. */
  readonly isProtected: boolean
}

/** The OpenAPI 3.1 document of served Tools: one operation a Tool, `POST /tools/{name}`. */
export function openApiDocument(
  tools: readonly ServedTool[],
  { title, version, isProtected }: OpenApiInfo,
): JsonSchema {
  const schemas: Record<string, Schema> = { Problem: problemSchema }
  const paths = Object.fromEntries(
    tools.map((tool) => {
      const prefix = providerSafeName(tool.name)
      const input = hoisted(tool.inputSchema, `${prefix}_in_`, schemas)
      const output =
        tool.outputSchema === undefined ? undefined : hoisted(tool.outputSchema, `${prefix}_out_`, schemas)
      return [`/tools/${tool.name}`, { post: operation(tool, prefix, input, output) }]
    }),
  )
  return {
    openapi: '3.1.0',
    info: { title, version },
    ...(isProtected && { security: [{ bearer: [] }] }),
    paths,
    components: {
      schemas,
      ...(isProtected && { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }),
    },
  }
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
    ...(title !== undefined && { summary: title }),
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

/** Moves a schema's own definitions to the components of the document, where its references can find them. */
function hoisted(schema: Schema, prefix: string, components: Record<string, Schema>): Schema {
  const move = (given: Schema): Schema => {
    if (!isJsonObject(given)) return given
    const { $schema, $defs, ...rest } = mapChildSchemas(given, move)
    const name = definitionName(rest.$ref)
    return name === undefined
      ? rest
      : { ...rest, $ref: `#/components/schemas/${prefix}${componentName(name)}` }
  }
  if (isJsonObject(schema) && isJsonObject(schema.$defs)) {
    for (const [name, definition] of Object.entries(schema.$defs)) {
      components[`${prefix}${componentName(name)}`] = move(definition as Schema)
    }
  }
  return move(schema)
}

/** Components are named with letters, digits, `.`, `-` and `_` alone. */
function componentName(name: string): string {
  return name.replaceAll(/[^\w.-]/g, (letter) => `_${letter.codePointAt(0)?.toString(16)}_`)
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
