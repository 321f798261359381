import { isJsonObject } from '../../../runtime/json/json.ts'
import { messageOf } from '../../../runtime/problems/message-of.ts'
import type { ToolSchema } from '../../../runtime/schema/schema.ts'
import type { OutcomeJson } from '../../../runtime/server/outcome-store.ts'
import { readEvents } from '../../../runtime/server/read-events.ts'
import type { ServedTool } from '../../../runtime/server/served-tools.ts'
import { findTokenCounter } from '../../explain/token-counter.ts'
import { GeneratorError } from '../../generator-error.ts'
import type { BenchTool, Workbench } from './workbench.ts'

/** A server to attach to. */
export interface ServerAddress {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The folder to look for a tokenizer in. */
  readonly root: string
}

/**
 * The Tools of a process that serves them (`callsheet serve`, `toolServer`).
 *
 * @throws GeneratorError `invalid_usage` when it does not answer, or refuses.
 */
export async function servedBench({ url, headers, root }: ServerAddress): Promise<Workbench> {
  const base = url.replace(/\/$/, '')
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${base}${path}`, { ...init, headers: { ...headers, ...init.headers } })
  const list = await listed(ask, base)
  return {
    place: base,
    isRemote: true,
    tools: list.map(benchTool),
    dialects: ['openai', 'anthropic', 'gemini'],
    composeOptions: {},
    countTokens: await findTokenCounter(root),
    async run(call, { id, context, signal }, tell) {
      const response = await ask('/calls', {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ call, id, context }),
      })
      if (!response.ok || !response.body) throw new Error(await reasonIn(response))
      for await (const { event, data } of readEvents(response.body)) {
        if (event === 'progress') tell({ event: 'progress', data })
        if (event === 'problem') {
          throw new Error(isJsonObject(data) && typeof data.detail === 'string' ? data.detail : 'It refused.')
        }
        if (event === 'result') return data as OutcomeJson
      }
      throw new Error(`${base} ended its answer before the Call did.`)
    },
  }
}

async function listed(
  ask: (path: string) => Promise<Response>,
  base: string,
): Promise<readonly ServedTool[]> {
  let answer: unknown
  try {
    const response = await ask('/tools')
    if (!response.ok) throw new Error(await reasonIn(response))
    answer = await response.json()
  } catch (error) {
    throw new GeneratorError('invalid_usage', [
      {
        message: `${base} does not list its Tools: ${messageOf(error)}`,
        fix: 'Start it (callsheet serve), and say who asks with --header where it wants to know.',
      },
    ])
  }
  const tools = isJsonObject(answer) ? answer.tools : undefined
  if (Array.isArray(tools)) return tools as readonly ServedTool[]
  throw new GeneratorError('invalid_usage', [
    { message: `${base} is not a server of Tools: GET /tools gives no list.`, fix: 'Correct --url.' },
  ])
}

async function reasonIn(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => undefined)
  const detail = isJsonObject(answer) ? answer.detail : undefined
  return typeof detail === 'string' ? detail : `status ${response.status}.`
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
