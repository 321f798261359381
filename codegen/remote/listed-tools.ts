import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { briefly } from '../../runtime/problems/problem.ts'
import { callSchema } from '../../runtime/schema/call-schema.ts'
import { plainToolSchema } from '../../runtime/schema/plain-schema.ts'
import type { ToolSchema } from '../../runtime/schema/schema.ts'
import { isSchema } from '../../runtime/schema/schema-children.ts'
import { isToolName } from '../../runtime/schema/tool-name.ts'
import { toolOptions } from '../../runtime/schema/tool-options.ts'
import type { ServedTool } from '../../runtime/server/served-tools.ts'

/** What a server lists, as far as it can be used: a Tool that cannot takes no other with it. */
export interface ListedTools {
  readonly tools: readonly ServedTool[]
  /** Why each of the others cannot, by its name or its place in the list. */
  readonly refused: ReadonlyMap<string, string>
}

/** Reads the list of a server, which may be anybody's. */
export function listedTools(list: readonly unknown[]): ListedTools {
  const tools = new Map<string, ServedTool>()
  const refused = new Map<string, string>()
  for (const [place, listed] of list.entries()) {
    const { name, inputSchema, outputSchema, title, description, effects, deprecated } = isJsonObject(listed)
      ? listed
      : {}
    if (typeof name !== 'string' || !isToolName(name)) {
      refused.set(
        `${place}`,
        `It lists no Tool at ${place}: expected one with a name, got ${briefly(listed)}.`,
      )
      continue
    }
    const tool = {
      name,
      inputSchema,
      contract: '',
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      ...(toolOptions.effects[0](effects) && { effects }),
      ...(deprecated === true && { deprecated }),
      ...(isSchema(outputSchema) && { outputSchema }),
    } as ServedTool
    const problem = tools.has(name) ? 'It is listed twice.' : problemOf(tool)
    if (problem === undefined) tools.set(name, tool)
    else if (!refused.has(name)) refused.set(name, problem)
  }
  return { tools: [...tools.values()], refused }
}

/** What a server lists of a Tool, as a Tool again; its meta-fields stay the server's own. */
export function schemaOfListed({
  name,
  title,
  description,
  effects,
  deprecated,
  inputSchema,
  outputSchema,
}: ServedTool): ToolSchema {
  const { properties = {} } = inputSchema
  const schema = {
    ...inputSchema,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(effects && { effects }),
    ...(deprecated && { deprecated }),
    properties: {
      _tool: { const: name },
      ...properties,
      ...(outputSchema !== undefined && { _output: outputSchema }),
    },
    required: ['_tool', ...(inputSchema.required ?? [])],
    // A parameter may begin with an underscore; that it is one is what the server says by listing it.
    parameters: Object.keys(properties).filter((property) => property.startsWith('_')),
  }
  return schema as ToolSchema
}

function problemOf(tool: ServedTool): string | undefined {
  if (!isJsonObject(tool.inputSchema)) return `Its inputSchema is ${briefly(tool.inputSchema)}.`
  try {
    // First as it came: what is put together takes members from it.
    plainToolSchema(tool.name, tool.inputSchema)
    interpretCheck(callSchema(plainToolSchema(tool.name, schemaOfListed(tool))).schema)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
