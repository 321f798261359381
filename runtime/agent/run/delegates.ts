import { delegateContext, unknownDelegate } from '../../call/contextual/delegate.ts'
import type { LatentDelegate, LatentModel, LatentRequest } from '../../call/latent.ts'
import { referencesOf, stateBehind } from '../../call/registry-state.ts'
import type { Message } from '../../context/message.ts'
import { ended, listSome } from '../../problems/problem.ts'
import { declaredToolName } from '../../schema/declared-tool-name.ts'
import { isRepeatable } from '../../schema/effects.ts'
import { objectSchema } from '../../schema/object-schema.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import { addUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { findIdea } from '../ideas/idea-folder.ts'
import type { AgentOptions, AgentResult, AgentTools, DelegateOptions } from '../loop/agent-options.ts'
import { LoopError } from '../loop/loop-error.ts'
import { dataFormat } from '../request/answer-format.ts'
import { ask } from '../request/ask.ts'
import { defaultLimit } from '../search/search-options.ts'
import { apiOf, dialectOf } from '../transport/choose-api.ts'
import { RequestError } from '../transport/request-error.ts'
import { inheritedOptions } from './inherited-options.ts'
import type { Lineage } from './lineage.ts'
import { restrictTools } from './narrowed-tools.ts'

const deepest = 8

/** Runs the loop of a delegate that has its own Tools. */
export type RunInside = (options: AgentOptions, lineage: Lineage) => Promise<AgentResult>

/**
 * Answers latent Calls by Requests: in the caller's context or, for a delegate, in a separate one (REQ-12).
 *
 * @param tools The Tools that a delegate may call if its own context names them; without it, a delegate only answers.
 */
export function delegateModel(
  options: DelegateOptions,
  lineage: Lineage,
  runInside: RunInside,
  tools?: AgentTools,
): LatentModel {
  const delegates = new Delegates(options, lineage, runInside, tools)
  return {
    answer: (request) => delegates.answer(request),
    idea: (name) => findIdea(name, options.ideas ?? {}),
  }
}

class Delegates {
  readonly #options: DelegateOptions
  readonly #lineage: Lineage
  readonly #runInside: RunInside
  readonly #tools: AgentTools | undefined

  constructor(
    options: DelegateOptions,
    lineage: Lineage,
    runInside: RunInside,
    tools: AgentTools | undefined,
  ) {
    this.#options = options
    this.#lineage = lineage
    this.#runInside = runInside
    this.#tools = tools
  }

  answer(request: LatentRequest): Promise<unknown> {
    const { delegate, output, context } = request
    if (delegate) return this.#answerInCleanRoom(request, delegate)
    return this.#ask(objectSchema(output), [...context, callMessage(request)], request, purposeOf(request))
  }

  async #answerInCleanRoom(request: LatentRequest, delegate: LatentDelegate): Promise<unknown> {
    const { maxDepth = deepest } = this.#options
    if (this.#lineage.depth >= maxDepth) throw nestedTooDeep(delegate.name, maxDepth)
    const idea = await this.#ideaOf(delegate)
    const room = delegateContext(idea, request.context, request.call, request.tool)
    const schema = idea?.schema ?? objectSchema(request.output)
    const offered = (idea?.context ?? []).flatMap((message) =>
      message.type === 'tool' ? [declaredToolName(message.tool)] : [],
    )
    if (!this.#tools || offered.length === 0) {
      return this.#ask(schema, room, request, idea ? undefined : purposeOf(request))
    }
    // The few Tools that its author named are all offered at once.
    const { search: given } = this.#options
    const { limit = defaultLimit } = given ?? {}
    const search = offered.length > limit ? given : undefined
    const tools = restrictTools(this.#tools, offered)
    return this.#run({ tools, search, context: room, output: schema }, request)
  }

  async #ideaOf({ name, idea }: LatentDelegate): Promise<IdeaData | undefined> {
    if (idea || name === 'anonymous') return idea
    const found = await findIdea(name, this.#options.ideas ?? {})
    if (found) return found
    const registered = (this.#tools && stateBehind(this.#tools)?.ideas.keys()) ?? []
    throw unknownDelegate(name, [...registered])
  }

  /** Makes one Request for data under a schema. */
  async #ask(
    schema: JsonSchema,
    context: readonly Message[],
    request: LatentRequest,
    instructions: string | undefined,
  ): Promise<unknown> {
    const { meter } = this.#lineage
    const shortage = meter.shortage({ turns: 1 })
    if (shortage) throw shortage
    // Count it before it is made: several latent Calls of one turn must not all use the last Request of the limit.
    meter.add({ turns: 1 })
    const { dialect = dialectOf(apiOf(this.#options)), instructions: given } = this.#options
    const format = dataFormat(schema, dialect)
    const whole = [given, instructions].filter((text) => text !== undefined).join('\n\n')
    const count = (usage: TokenUsage): void => {
      meter.add({ tokens: usage.in + usage.out })
      request.spend(usage)
    }
    try {
      const asked = await ask(
        { ...this.#options, stream: false, onText: undefined, instructions: whole },
        { format, context, hasOutput: true, signal: request.signal },
      )
      count(asked.usage)
      return asked.answer
    } catch (thrown) {
      if (thrown instanceof RequestError) count(thrown.usage)
      throw thrown
    }
  }

  /** Runs the loop for a delegate that has its own Tools. */
  async #run(
    own: Pick<AgentOptions, 'tools' | 'search' | 'context' | 'output'>,
    request: LatentRequest,
  ): Promise<unknown> {
    const { meter, depth } = this.#lineage
    const { id: runId, signal, under: { confirm, isDefault, principal, run: said } = {} } = request
    const registry = this.#tools && stateBehind(this.#tools)
    const isAskedThere = isDefault && registry?.defaults.confirm !== undefined
    const options = inheritedOptions(this.#options)
    // The delegate's Tools are a subset of these, and its plan needs to know in which parameters text is not a Reference.
    const references = this.#tools && referencesOf(this.#tools, options.run)
    const run = { ...options.run, ...said, references, ...(principal !== undefined && { principal }) }
    try {
      const result = await this.#runInside(
        { ...options, ...(confirm && !isAskedThere && { confirm }), ...own, run, signal },
        { runId, meter, depth: depth + 1 },
      )
      request.spend(usageOf(result))
      return result.output
    } catch (thrown) {
      if (!(thrown instanceof LoopError)) throw thrown
      request.spend(usageOf(thrown.result))
      throw this.#withWrites(thrown)
    }
  }

  /** Adds to the error of a delegate what it ran before: a model would ask for a payment again. */
  #withWrites(error: LoopError): LoopError {
    const { code, message, result, cause, problems, suggestions } = error
    const writes = result.outcomes.flatMap(({ tool, attempts }) =>
      attempts > 0 && !isRepeatable(this.#tools?.get(tool)?.effects) ? [JSON.stringify(tool)] : [],
    )
    if (writes.length === 0) return error
    const hint = ` Before that, it ran ${listSome([...new Set(writes)], 10, ', ')}; look before you ask for it again.`
    return new LoopError(code, ended(message) + hint, result, { cause, problems, suggestions })
  }
}

/** Returns what a run spent: its own Requests, and those of its Calls. */
function usageOf({ usage, outcomes }: AgentResult): TokenUsage {
  return outcomes.reduce((sum, outcome) => addUsage(sum, outcome.usage ?? noUsage), usage)
}

/** Renders the Call whose output is requested, as data: its author is not trusted. */
function callMessage({ call }: LatentRequest): Message {
  return { type: 'data', kind: 'call', data: call, description: 'The call whose output is asked for.' }
}

/** Renders the Tool's description as an instruction: its author is trusted. */
function purposeOf({ tool, call }: LatentRequest): string {
  const about = tool.description === undefined ? '' : `: ${tool.description}`
  return `Give the output of one call of the tool ${JSON.stringify(call._tool)}${about}`
}

function nestedTooDeep(name: string, most: number): RequestError {
  return new RequestError(
    'limit_reached',
    `The delegate ${JSON.stringify(name)} would be nested more than ${most} deep. If that is meant, raise maxDepth.`,
  )
}
