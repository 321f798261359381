import type { CallToolResult, McpRequestContext, Tool as McpTool, Server } from '@modelcontextprotocol/server'
import type { ErrorData } from '../errors.ts'
import { mcpAnnotations } from '../native/mcp-annotations.ts'
import type { CallRunner } from './call-runner.ts'
import type { Principal } from './gate.ts'
import type { McpSdk } from './load-mcp-sdk.ts'
import type { OutcomeJson } from './outcome-json.ts'
import { ServerProblem } from './problem-response.ts'
import { ProgressPace } from './progress-pace.ts'
import { type ServableTool, type ServedTool, servedTools } from './served-tools.ts'

/** What a client is told about the server, and where its Calls go. */
export interface McpOptions {
  readonly name: string
  readonly version: string
  readonly tools: ServableTool
  readonly runner: CallRunner
}

/**
 * Makes servers of the Model Context Protocol over the official SDK, one for each connection or request: the Tools of whoever asks,
 * with their own schemas. Callsheet checks arguments itself, so that a model is told everything that is wrong.
 */
export function mcpServerFactory(
  { Server: McpServer, ProtocolError, ProtocolErrorCode }: McpSdk,
  { name, version, tools, runner }: McpOptions,
  principalOf: (context: McpRequestContext) => Principal | undefined,
): (context: McpRequestContext) => Server {
  return (context) => {
    const principal = principalOf(context)
    const server = new McpServer({ name, version }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', async () => ({
      tools: (await servedTools(tools, principal)).map(listed),
    }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const [offered] = await servedTools(tools, principal, (name) => name === params.name)
      if (!offered) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool "${params.name.slice(0, 100)}".`,
        )
      }
      const token = mcpReq._meta?.progressToken
      const pace = new ProgressPace()
      let steps = 0
      const running = runner.runOne(
        { call: { ...params.arguments, _tool: params.name } },
        { context: [], references: false },
        principal,
        mcpReq.signal,
        {
          progress: ({ data }) => {
            steps += 1
            if (token === undefined || !pace.admits()) return
            mcpReq
              .notify({
                method: 'notifications/progress',
                params: { progressToken: token, progress: steps, message: textOf(data) },
              })
              // Nobody listens any more; the Call goes on or is aborted by its signal.
              .catch(() => undefined)
          },
        },
      )
      const outcome = await running.catch(refusal)
      if ('content' in outcome) return outcome
      // What an earlier revision cannot say (an output that is not an object) is the SDK's to put into words that it can.
      const { outputSchema } = offered
      return server.projectCallToolResult(
        toolResult(outcome, offered),
        typeof outputSchema === 'object' ? outputSchema : undefined,
      )
    })
    return server
  }
}

/** A Tool as `tools/list` gives it. */
function listed({ name, title, description, effects, inputSchema, outputSchema }: ServedTool): McpTool {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    // Both are JSON Schemas; the SDK types them as JSON values.
    inputSchema: { ...inputSchema, type: 'object' } as McpTool['inputSchema'],
    ...(typeof outputSchema === 'object' && { outputSchema: outputSchema as McpTool['outputSchema'] }),
    ...(effects && { annotations: mcpAnnotations(effects) }),
  }
}

function toolResult({ status, error, output }: OutcomeJson, { outputSchema }: ServedTool): CallToolResult {
  if (status !== 'succeeded') return { content: [{ type: 'text', text: failureText(error) }], isError: true }
  if (outputSchema === undefined) return { content: [{ type: 'text', text: 'Done.' }] }
  return {
    content: [{ type: 'text', text: textOf(output) }],
    structuredContent: output as Record<string, unknown>,
  }
}

/** A server that is busy or closing says so to the model, which can wait or do something else. */
function refusal(error: unknown): CallToolResult {
  if (!(error instanceof ServerProblem)) throw error
  return { content: [{ type: 'text', text: `${error.code}: ${error.message}` }], isError: true }
}

/** Everything that is wrong, so that a model can put it right in one go. */
function failureText(error: ErrorData | undefined): string {
  if (!error) return 'The Call did not succeed.'
  const { code, message, problems = [] } = error
  const missing = problems.filter((each) => !message.includes(each.message))
  return [`${code}: ${message}`, ...missing.map((each) => each.message)].join('\n')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
