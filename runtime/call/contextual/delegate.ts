import { type Call, isDataMessage, type Message, messageKind } from '../../context/message.ts'
import { CallError, isCallsheetError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { copyJson } from '../../json/json-copy.ts'
import { handOn } from '../../problems/handed-on.ts'
import { nearest } from '../../problems/nearest.ts'
import { briefly, listSome } from '../../problems/problem.ts'
import { suggest } from '../../problems/suggest.ts'
import { isParameter } from '../../schema/is-parameter.ts'
import type { Schema, ToolSchema } from '../../schema/schema.ts'
import { toolFacts } from '../../schema/tool-facts.ts'
import type { ActivityContext, AnyActivity } from '../../tools/activity.ts'
import type { RegisteredActivity } from '../../tools/activity-registry.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import { inputOf } from '../../tools/idea-tool.ts'
import { type ToolEntry, withFacts } from '../../tools/tool-entry.ts'
import type { LatentDelegate } from '../latent.ts'
import type { RegistryState } from '../registry-state.ts'
import type { ActivityOfCall, Implementation, Implementations } from '../run/implementation.ts'
import type { RunOptions } from '../run-options.ts'
import { provisionAs } from './provision.ts'

/** The name of the delegate that starts with an empty context. */
const anonymous = 'anonymous'

/** The delegate of a Call. */
export interface Delegate {
  /** The delegate's name and Idea, if it has one. */
  readonly target: LatentDelegate
  /** Finds what runs the Call: the delegate itself if it is an Activity, otherwise the Tool's own implementation. */
  implementations(find: (entry: ToolEntry) => Implementations, options: RunOptions): Implementations
}

/**
 * Finds the delegate of a Call (REQ-12): a registered Idea, else a registered Activity, else something that only the
 * model can look up, such as a file.
 *
 * @returns undefined if the Call is not delegated.
 * @throws CallError `activity_mismatch` if the delegate is an Activity that the Tool itself does not name, or the Tool
 * came with the context.
 */
export function delegateOf(state: RegistryState, entry: ToolEntry, call: Call): Delegate | undefined {
  const name = entry.facts.delegate ?? call._delegate
  if (typeof name !== 'string' || name === '') return undefined
  const idea = state.ideas.get(name)
  const target = idea ? { name, idea } : { name }
  const isActivity = !idea && name !== anonymous && state.activities.knows(name)
  if (isActivity && entry.isGuest) throw guestDelegateError(entry, name)
  if (isActivity && !isNamedByTool(entry, name)) throw chosenDelegateError(entry, name)
  return {
    target,
    implementations(find, { model }) {
      if (isActivity) {
        const delegated = withFacts(entry, { ...entry.facts, activity: name })
        return inCleanContext(find(delegated), async () => undefined)
      }
      // If the Tool fixes the name, there need not be an Idea of it; a name that the Call chooses must exist.
      const isCertain = name === anonymous || entry.facts.delegate !== undefined
      return inCleanContext(find(entry), async () => {
        const found = idea ?? (name === anonymous ? undefined : await model?.idea?.(name))
        if (!found && !isCertain) throw unknownDelegate(name, [...state.ideas.keys()])
        return found
      })
    },
  }
}

/** Returns true if the Tool's schema names the delegate: as the only one, or as one of several. */
function isNamedByTool({ schema }: ToolEntry, name: string): boolean {
  const declared = schema.properties?._delegate
  if (!isJsonObject(declared)) return false
  const branches: Schema[] = [declared, ...(declared.anyOf ?? [])]
  return branches.some(
    (branch) => isJsonObject(branch) && (branch.const === name || (branch.enum ?? []).includes(name)),
  )
}

/** Makes Activities run in a clean context instead of the caller's (CALL-2). Latent implementations are unchanged. */
function inCleanContext(
  implementations: Implementations,
  ideaOf: () => Promise<IdeaData | undefined>,
): Implementations {
  const inside = (activity: RegisteredActivity): ActivityOfCall => {
    const run: AnyActivity = async (call, tool, context, about) => {
      const idea = await ideaOf().catch(throwAsOwnFailure)
      const own = provisionAs(delegateContext(idea, context, call, tool), context)
      return activity.run(call, tool, own, about)
    }
    return { ...activity, run, inside }
  }
  const unlessLatent = (implementation: Implementation): Implementation =>
    implementation.mode === 'latent' ? implementation : inside(implementation)
  const { implementation, shadow } = implementations
  return { implementation: unlessLatent(implementation), shadow: shadow && unlessLatent(shadow) }
}

/**
 * Marks the error of a delegate that was not found as the Call's own, not `activity_failed`: no Activity has started.
 */
function throwAsOwnFailure(thrown: unknown): never {
  throw isCallsheetError(thrown) ? handOn(thrown) : thrown
}

/**
 * Builds the context of a delegate: the Idea's own Messages, those that the Call's scopes select, and the Call's
 * parameters as its input. An input Message of the Idea is an example and is replaced by the real one.
 */
export function delegateContext(
  idea: IdeaData | undefined,
  scoped: ActivityContext,
  call: Call,
  tool: ToolSchema,
): Message[] {
  const facts = toolFacts(call._tool, tool)
  const parameters = Object.entries(call).filter(([name]) => isParameter(facts, name))
  const { schema, description } = (idea && inputOf(idea)) ?? {}
  const input: Message = {
    type: 'input',
    input: copyJson(Object.fromEntries(parameters)),
    ...(schema !== undefined && { schema: schema as Schema }),
    ...(description !== undefined && { description }),
  }
  const isInput = (message: Message): boolean => isDataMessage(message) && messageKind(message) === 'input'
  const own = (idea?.context ?? []).filter((message) => !isInput(message))
  return [...copyJson(own), ...scoped, input]
}

/** Creates the error of an unknown delegate. */
export function unknownDelegate(name: string, known: readonly string[]): CallError {
  const suggestions = nearest(name, known)
  const there = known.length > 0 ? ` Registered: ${listSome(known, 12, ', ')}.` : ''
  return new CallError(
    'no_implementation',
    `Unknown delegate ${briefly(name)}.${suggest(suggestions)}${there} Use "anonymous", register the Idea with createRegistry({ ideas }) or Tool.fromIdea, or name a .json file of the Ideas folder.`,
    { suggestions },
  )
}

/**
 * Creates the error of a Tool from a context that delegates to a registered Activity, which it may not reach
 * (CALL-11b).
 */
function guestDelegateError({ facts }: ToolEntry, name: string): CallError {
  return new CallError(
    'activity_mismatch',
    `Tool "${facts.name}" came with the context, in a tool Message, so it may not use the registered Activity "${name}". To allow it, register the Tool: Tool.register("${facts.name}", schema).`,
  )
}

function chosenDelegateError({ facts }: ToolEntry, name: string): CallError {
  return new CallError(
    'activity_mismatch',
    `Tool "${facts.name}" does not name its delegate, and "${name}" is an Activity, which a Call may not choose. To allow it, name it in the Tool's _delegate, as a literal or in an enum.`,
  )
}
