import { cleanRoom, unknownDelegate } from '../../call/delegate.ts'
import type { LatentDelegate, LatentModel, LatentRequest } from '../../call/latent.ts'
import { appendAll } from '../../context/append-all.ts'
import type { ContextLike } from '../../context/context.ts'
import type { Call, Message } from '../../context/message.ts'
import { declaredToolName } from '../../schema/declared-tool-name.ts'
import { isParameter } from '../../schema/is-parameter.ts'
import type { JsonSchema, Schema, ToolSchema } from '../../schema/schema.ts'
import { type ToolFacts, toolFacts } from '../../schema/tool-facts.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import { findIdea } from '../ideas/idea-folder.ts'
import type { AgentOptions, AgentResult, AgentTools, DelegateOptions } from '../loop/agent-options.ts'
import { inProcessExecutor } from '../loop/executor.ts'
import { runLoop } from '../loop/loop.ts'
import { Meter } from '../loop/meter.ts'
import { dataFormat } from '../request/answer-format.ts'
import { ask } from '../request/ask.ts'
import { RequestError } from '../transport/request-error.ts'
import { performer } from './perform.ts'

/** What a run inherits from the run that it is part of. */
export interface Lineage {
  readonly runId: string
  /** Counts what is spent for real. */
  readonly meter: Meter
  /** How many delegates the run is inside of. */
  readonly depth: number
}

const deepest = 8

/** Options of a run that are not those of the delegates inside of it. */
const ofThisRunOnly = {
  executor: undefined,
  runId: undefined,
  onTurn: undefined,
  plan: undefined,
  maxTime: undefined,
}

/** Runs the loop; a delegate with Tools of its own runs it again, inside. */
export function runAgent(options: AgentOptions, { runId, meter, depth }: Lineage): Promise<AgentResult> {
  const { context, executor: factory = inProcessExecutor, latent, tools, maxTime } = options
  const messages = messagesOf(context)
  const known = new WeakMap<ToolSchema, ToolFacts>()
  const factsOf = (name: string, schema: ToolSchema): ToolFacts => {
    const facts = known.get(schema) ?? toolFacts(name, schema)
    known.set(schema, facts)
    return facts
  }
  const isParameterOf = (call: Call, name: string): boolean => {
    const schema = tools.get(call._tool)
    return schema ? isParameter(factsOf(call._tool, schema), name) : !name.startsWith('_')
  }
  const perform = performer({
    options,
    meter,
    latent: (part) => latent ?? delegateModel(options, { runId, meter: part, depth }, tools),
    isParameter: isParameterOf,
  })
  const executor = factory(perform)
  return runLoop(
    {
      runId,
      messages,
      onAppend: (added) => appendAll(context, added),
      // The loop counts for itself, from what it is told: a replay has to come to the same.
      meter: new Meter(depth === 0 ? limitsOf(options) : {}),
      deadline: maxTime === undefined ? undefined : executor.now() + maxTime,
      isLazy: options.plan === 'lazy',
      followsPlan: depth === 0,
      concurrency: options.concurrency ?? Number.POSITIVE_INFINITY,
      isParameter: isParameterOf,
      effectsOf: (call) => tools.get(call._tool)?.effects,
      redact: options.redact ?? (({ code, message }) => ({ code, message })),
      onTurn: options.onTurn ?? (() => {}),
    },
    executor,
  )
}

/** The limits of a run, those that nobody said included: a model can go on for ever. */
export function limitsOf({ maxTurns = 20, maxCalls = 200, maxTokens }: AgentOptions): {
  maxTurns: number
  maxCalls: number
  maxTokens: number | undefined
} {
  return { maxTurns, maxCalls, maxTokens }
}

/**
 * Answers latent Calls by Requests: in the caller's context, or for a delegate in a clean room (REQ-12).
 *
 * @param tools What a delegate may call of what its own context names; without it a delegate only answers.
 */
export function delegateModel(options: DelegateOptions, lineage: Lineage, tools?: AgentTools): LatentModel {
  const { meter, depth } = lineage

  const question = async (
    schema: JsonSchema,
    context: readonly Message[],
    request: LatentRequest,
    instructions: string | undefined,
  ): Promise<unknown> => {
    const shortage = meter.shortage({ turns: 1 })
    if (shortage) throw shortage
    // Before it is made: several latent Calls of one turn must not each take the last Request that there is.
    meter.add({ turns: 1 })
    const { dialect = 'openai', instructions: given } = options
    const format = dataFormat(schema, dialect)
    const whole = [given, instructions].filter((text) => text !== undefined).join('\n\n')
    try {
      const { signal } = request
      const asked = await ask(
        { ...options, stream: false, instructions: whole },
        { format, context, hasOutput: true, signal },
      )
      meter.add({ tokens: asked.usage.in + asked.usage.out })
      return asked.answer
    } catch (thrown) {
      if (thrown instanceof RequestError) meter.add({ tokens: thrown.usage.in + thrown.usage.out })
      throw thrown
    }
  }

  const inClean = async (request: LatentRequest, delegate: LatentDelegate): Promise<unknown> => {
    const { maxDepth = deepest } = options
    if (depth >= maxDepth) throw tooDeep(delegate.name, maxDepth)
    const idea = await ideaOf(delegate, options)
    const room = cleanRoom(idea, request.context, request.call, request.tool)
    const schema = idea?.schema ?? objectSchema(request.output)
    const offered = (idea?.context ?? []).flatMap((message) =>
      message.type === 'tool' ? [declaredToolName(message.tool)] : [],
    )
    if (!tools || offered.length === 0) {
      return question(schema, room, request, idea ? undefined : purposeOf(request))
    }
    const { id: runId, signal } = request
    const inside = onlyThese(tools, offered)
    const { output } = await runAgent(
      { ...options, ...ofThisRunOnly, tools: inside, context: room, output: schema, signal },
      { runId, meter, depth: depth + 1 },
    )
    return output
  }

  return {
    answer(request) {
      const { delegate, output, context } = request
      if (delegate) return inClean(request, delegate)
      return question(objectSchema(output), [...context, callMessage(request)], request, purposeOf(request))
    },
    idea: (name) => findIdea(name, options.ideas ?? {}),
  }
}

async function ideaOf(
  delegate: LatentDelegate,
  { ideas = {} }: DelegateOptions,
): Promise<IdeaData | undefined> {
  const { name, idea } = delegate
  if (idea || name === 'anonymous') return idea
  const found = await findIdea(name, ideas)
  if (!found) throw unknownDelegate(name, [])
  return found
}

/** The Tools that a delegate's own context names, and no other of the registry. */
function onlyThese(tools: AgentTools, names: readonly (string | undefined)[]): AgentTools {
  return {
    composable: (context) => tools.composable(context).filter(({ name }) => names.includes(name)),
    get: (name) => tools.get(name),
    run: tools.run.bind(tools),
  }
}

/** The Call whose output is asked for: data, whoever wrote it. */
function callMessage({ call }: LatentRequest): Message {
  return { type: 'data', kind: 'call', data: call, description: 'The call whose output is asked for.' }
}

/** What the Tool is for is its author's word, and so an instruction. */
function purposeOf({ tool, call }: LatentRequest): string {
  const about = tool.description === undefined ? '' : `: ${tool.description}`
  return `Give the output of one call of the tool ${JSON.stringify(call._tool)}${about}`
}

function objectSchema(schema: Schema): JsonSchema {
  return typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema
}

function messagesOf(context: ContextLike = []): readonly Message[] {
  return 'messages' in context ? context.messages : context
}

function tooDeep(name: string, most: number): RequestError {
  return new RequestError(
    'limit_reached',
    `The delegate ${JSON.stringify(name)} would be nested more than ${most} deep. If that is meant, raise maxDepth.`,
  )
}
