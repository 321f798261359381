import { isJsonObject } from '../../../runtime/json/json.ts'
import type { ToolSchema } from '../../../runtime/schema/schema.ts'
import type { OutcomeJson } from '../../../runtime/server/outcome-store.ts'
import type { ServedTool } from '../../../runtime/server/served-tools.ts'
import { findTokenCounter } from '../../explain/token-counter.ts'
import type { ServerClient } from '../../server-client.ts'
import type { BenchTool, Workbench } from './workbench.ts'

/**
 * The Tools of a process that serves them (`callsheet serve`, `toolServer`).
 *
 * @param root The folder to look for a tokenizer in.
 * @throws GeneratorError `invalid_usage` when it does not answer, or refuses.
 */
export async function servedBench(client: ServerClient, root: string): Promise<Workbench> {
  const list = await client.tools()
  return {
    place: client.base,
    isRemote: true,
    tools: list.map(benchTool),
    dialects: ['openai', 'anthropic', 'gemini'],
    composeOptions: {},
    countTokens: await findTokenCounter(root),
    async run(call, { id, context, signal }, tell) {
      for await (const { event, data } of client.follow({ call, id, context }, signal)) {
        if (event === 'progress') tell({ event: 'progress', data })
        if (event === 'problem') {
          throw new Error(isJsonObject(data) && typeof data.detail === 'string' ? data.detail : 'It refused.')
        }
        if (event === 'result') return data as OutcomeJson
      }
      throw new Error(`${client.base} ended its answer before the Call did.`)
    },
  }
}

/** What a server shows of a Tool, as a Tool again; its meta-fields stay the server's own. */
function benchTool({
  name,
  title,
  description,
  effects,
  deprecated,
  inputSchema,
  outputSchema,
}: ServedTool): BenchTool {
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
  return { name, schema: schema as ToolSchema, activity: name }
}
