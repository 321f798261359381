import type {
  CallToolRequest,
  CallToolResult,
  McpRequestContext,
  Tool as McpTool,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server'
import { dataOf } from '../context/message.ts'
import type { ErrorData } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import { lazily } from '../lazily.ts'
import { mcpAnnotations } from '../native/mcp-annotations.ts'
import { withDeclaredNames } from '../native/plain-names.ts'
import { briefly } from '../problems/problem.ts'
import { inlineReferences } from '../schema/inline-references.ts'
import type { Schema } from '../schema/schema.ts'
import { providerSafeName } from '../schema/tool-name.ts'
import type { CallRunner } from './call-runner.ts'
import { Ending, type StopSignal } from './ending.ts'
import type { Follower } from './followers.ts'
import { forBothDrafts } from './for-both-drafts.ts'
import { listableTools } from './listable-tools.ts'
import { listedNames, namedTool } from './listed-names.ts'
import type { McpSdk } from './load-mcp-sdk.ts'
import { CancelledByClient, type McpAsker, type McpCancellations } from './mcp-cancellations.ts'
import { modelSchema } from './model-schema.ts'
import { type OpenWorld, withOpenWorld } from './open-world.ts'
import type { OutcomeJson } from './outcome-json.ts'
import { ServerProblem } from './problem-response.ts'
import { ProgressPace } from './progress-pace.ts'
import { isReadByPython } from './read-by-python.ts'
import { type ServableTool, type ServedTool, servedTools } from './served-tools.ts'
import { withoutInstances } from './without-instances.ts'

/** Loaded on demand: few Tools return a Message. */
const interpreting = lazily(() => import('../check-tree/interpret.ts'))
const reading = lazily(() => import('../native/meant-arguments.ts'))

/** Milliseconds within which Calls that a closing server aborts are answered. */
export const lastAnswers = 500

/** The server's data for clients, and the runner of their Calls. */
export interface McpOptions {
  readonly name: string
  readonly version: string
  readonly instructions?: string | undefined
  readonly openWorld?: OpenWorld | undefined
  readonly tools: ServableTool
  readonly runner: CallRunner
  /** Aborted when the server is closed: running Calls are aborted then, and still answered. */
  readonly closing: StopSignal
  readonly cancellations?: McpCancellations | undefined
  /** True if clients are told of Tools that are registered and removed: over a connection of their own. */
  readonly tellsChanges?: boolean
}

/**
 * Creates MCP servers with the official SDK, one for each connection or request, with the caller's Tools and their
 * schemas. Callsheet validates arguments itself, so that the model gets every problem.
 */
export function mcpServerFactory(
  sdk: McpSdk,
  options: McpOptions,
  askerOf: (context: McpRequestContext) => McpAsker,
): (context: McpRequestContext) => Server {
  const { name, version, instructions, openWorld, tools, tellsChanges = false } = options
  return (context) => {
    const asker = askerOf(context)
    const { principal } = asker
    const capabilities = { tools: tellsChanges ? { listChanged: true } : {} }
    const server = new sdk.Server({ name, version }, { capabilities, ...(instructions && { instructions }) })
    if (tellsChanges) server.onclose = tellChanges(tools, server)
    server.setRequestHandler('tools/list', async () => {
      const served = await servedTools(tools, principal)
      const names = listedNames(served.map((tool) => tool.name))
      const listable = await listableTools(served)
      return {
        tools: listable.map((each) => ({
          ...withOpenWorld(listed(each).tool, openWorld),
          name: names.get(each.name) ?? each.name,
        })),
      }
    })
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const isMeant = (each: string): boolean => [each, providerSafeName(each)].includes(params.name)
      const offered = namedTool(await servedTools(tools, principal, isMeant), params.name)
      if (!offered) throw unknownTool(sdk, params.name)
      const signal = new Ending()
      const outcome = await runCall(options, params, offered, asker, mcpReq, signal).catch(refusal)
      // The end of the connection is the end of the request. Whoever sent a batch waits for the responses to its other requests.
      if (signal.reason instanceof CancelledByClient && !asker.isOneOfMany) await server.close()
      if ('content' in outcome) return outcome
      // The SDK converts results that an earlier revision does not support, such as an output that is not an object: by the schema that the
      // client has.
      return server.projectCallToolResult(
        await toolResult(outcome, offered),
        listed(offered).tool.outputSchema,
      )
    })
    return server
  }
}

/** Tells a client once of all that a program registers and removes in a row. @returns A function that stops it. */
function tellChanges(tools: ServableTool, server: Server): () => void {
  let isToTell = false
  return tools.on('tool:changed', () => {
    if (isToTell) return
    isToTell = true
    queueMicrotask(() => {
      isToTell = false
      // A client that is not there yet, or no longer, lists the Tools as they are.
      server.sendToolListChanged().catch(() => undefined)
    })
  })
}

function unknownTool({ ProtocolError, ProtocolErrorCode }: McpSdk, name: string): Error {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name.slice(0, 100)}".`)
}

async function runCall(
  { runner, closing, cancellations }: McpOptions,
  { name: called, arguments: given }: CallToolRequest['params'],
  tool: ServedTool,
  asker: McpAsker,
  request: ServerContext['mcpReq'],
  signal: Ending,
): Promise<OutcomeJson> {
  const { name, inputSchema } = tool
  if (given?._tool !== undefined && ![name, providerSafeName(name)].includes(given._tool as string)) {
    const named = briefly(given._tool)
    throw new ServerProblem(
      'bad_request',
      `The arguments name the tool ${named}, and "${called}" was called.`,
    )
  }
  const { asMeant } = await reading()
  const declared = given && withDeclaredNames(given as JsonObject, listed(tool).sentAs)
  const call = { ...(asMeant(declared, inputSchema) as typeof given), _tool: name }
  const run = { context: [], references: false }
  const forget = [
    passOn(request.signal, signal),
    passOn(closing, signal),
    cancellations?.add(asker, request.id, signal),
  ]
  try {
    const { principal } = asker
    return await runner.runOne({ call }, run, { principal, signal, follower: followerOf(request) })
  } finally {
    for (const each of forget) each?.()
  }
}

/** Aborts `ending` when a signal aborts, until the returned function is called. */
function passOn(signal: StopSignal, ending: Ending): () => void {
  const abort = (): void => ending.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return () => signal.removeEventListener('abort', abort)
}

/** Passes progress on to a client that requested it, at a limited rate. */
function followerOf(request: ServerContext['mcpReq']): Follower {
  const progressToken = request._meta?.progressToken
  if (progressToken === undefined) return {}
  const pace = new ProgressPace()
  let progress = 0
  return {
    progress({ data }) {
      progress += 1
      if (!pace.admits()) return
      const params = { progressToken, progress, message: textOf(data) }
      // If the client has left, the Call's signal decides whether it continues.
      request.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    },
  }
}

/** A Tool in the form of `tools/list`, and the names under which its parameters are listed, by those that it declares. */
interface Listing {
  readonly tool: McpTool
  readonly sentAs: ReadonlyMap<string, string>
}

const listings = new WeakMap<ServedTool, Listing>()

/** Lists a Tool; cached. */
function listed(tool: ServedTool): Listing {
  const known = listings.get(tool)
  if (known) return known
  const made = listAnew(tool)
  listings.set(tool, made)
  return made
}

function listAnew({ name, title, description, effects, inputSchema, outputSchema }: ServedTool): Listing {
  const { schema, sentAs } = modelSchema(inputSchema)
  const tool: McpTool = {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    // Both are JSON Schemas; the SDK types them as JSON values.
    inputSchema: { ...schema, type: 'object' } as McpTool['inputSchema'],
    ...(typeof outputSchema === 'object' && {
      outputSchema: forBothDrafts(inlineReferences(outputSchema), isReadByPython) as McpTool['outputSchema'],
    }),
    ...(effects && { annotations: mcpAnnotations(effects) }),
  }
  return { tool, sentAs }
}

async function toolResult(outcome: OutcomeJson, { outputSchema }: ServedTool): Promise<CallToolResult> {
  const { status, error, output, message } = outcome
  if (status !== 'succeeded') return { content: [{ type: 'text', text: failureText(error) }], isError: true }
  if (outputSchema === undefined) {
    return { content: [{ type: 'text', text: message ? textOf(dataOf(message)) : 'Done.' }] }
  }
  // Without an output, null is sent if the schema allows it: a client that has a schema requires a value.
  const isMissing = output === undefined && !(await allowsNull(outputSchema))
  if (error || isMissing) return withoutOutput(message ?? output)
  const said = output === undefined ? null : output
  return {
    content: [{ type: 'text', text: output === undefined ? 'Done.' : textOf(output) }],
    structuredContent: said as Record<string, unknown>,
  }
}

/**
 * Reports a Call that succeeded without a valid output: its Activity returned a Message, or `onInvalidOutput` is `report`.
 * Clients throw on a success that breaks the schema, and then the model would not learn that the Tool has run.
 */
function withoutOutput(given: unknown): CallToolResult {
  const result = given === undefined ? '' : ` Its result: ${textOf(given)}`
  const text = `The tool has run and succeeded, without an output of its schema. Do not call it again for this.${result}`
  return { content: [{ type: 'text', text }], isError: true }
}

async function allowsNull(schema: Schema): Promise<boolean> {
  const { interpretCheck } = await interpreting()
  return interpretCheck(schema)(null)
}

/** Reports a busy or closing server to the model as a tool error, so that it can wait or do something else. */
function refusal(error: unknown): CallToolResult {
  if (!(error instanceof ServerProblem)) throw error
  return { content: [{ type: 'text', text: `${error.code}: ${error.message}` }], isError: true }
}

/** Reports every problem, so that a model can correct all at once. */
function failureText(error: ErrorData | undefined): string {
  if (!error) return 'The Call did not succeed.'
  const { code, message, problems = [] } = withoutInstances(error)
  const missing = problems.filter((each) => !message.includes(each.message))
  return [`${code}: ${message}`, ...missing.map((each) => each.message)].join('\n')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
