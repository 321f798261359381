import type { ContextLike } from '../../context/context.ts'
import type { Call } from '../../context/message.ts'
import { messagesOf } from '../../context/messages-of.ts'
import { ActivityError, CallError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { isSameJson } from '../../json/same-json.ts'
import type { nearest } from '../../problems/nearest.ts'
import { problem } from '../../problems/problem.ts'
import { yesOrNo } from '../../problems/wrong-answer.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import { unknownTool } from '../../tools/tool-registry.ts'
import { asError, invalidCall } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import type { RegistryState } from '../registry-state.ts'
import type { RunOptions } from '../run-options.ts'

/**
 * Finds the Tool of a Call (CALL-1).
 *
 * @throws CallError `invalid_call` if the Call names no Tool, `unknown_tool` if the Tool does not exist or is switched
 * off.
 */
export function findTool({ state, options }: CallRun, call: Call, guess?: typeof nearest): ToolEntry {
  if (!isJsonObject(call)) {
    throw invalidCall('A Call is an object such as { _tool: "name", … }', [problem('', 'an object', call)])
  }
  const name: unknown = Object.hasOwn(call, '_tool') ? call._tool : undefined
  if (typeof name !== 'string') {
    throw invalidCall('A Call names its Tool in "_tool"', [
      problem('/_tool', `the name of a Tool${adviceFor(call)}`, name),
    ])
  }
  const entry = state.tools.get(name) ?? contextTool(state, name, options)
  if (!entry) throw unknownTool(name, namesFor(state, options), guess)
  if (options.principal !== undefined) {
    // A client that may not use the Tool must not learn that it exists, or why it is off (SERVE-6).
    const [isThere] = enabledTools(state, [entry], options.context, options.principal)
    if (!isThere) throw unknownTool(name, namesFor(state, options), guess)
  } else if (!isEnabled(entry, options.context)) {
    throw new CallError('unknown_tool', `Tool "${name}" is switched off by its option \`enabled\`.`)
  }
  return entry
}

/**
 * Finds out again, just before a Call runs, whether it may: while it waited for a confirmation, for its turn in a group
 * or for another attempt, its Tool may have been switched off, removed or replaced (TOOL-9).
 *
 * @param entry The Tool that the Call was checked with.
 * @throws What `findTool` throws; ActivityError `refused` if the Tool has another schema now.
 */
export function requireStillThere(run: CallRun, call: Call, entry: ToolEntry): void {
  const now = findTool(run, call)
  if (now === entry || isSameJson(now.schema, entry.schema)) return
  throw new ActivityError(
    'refused',
    `Tool "${entry.facts.name}" got another schema while the Call waited, so it was not run. Make the Call again.`,
  )
}

/** Guesses what an object without `_tool` was meant to be. */
function adviceFor(call: object): string {
  // The result of Tool(…) instead of a Call, as in Tool.all([Tool(call)]).
  if (call instanceof Promise) return ' (this is a Promise; a Call is what calls.NAME(…) makes)'
  if ('_tool' in call || !['name', 'function', 'functionCall'].some((key) => key in call)) return ''
  return ' (Tool.parse makes Calls of what a provider sent)'
}

/**
 * Finds a Tool of the context. Separate from `findTool`: a closure there would keep its variables alive for every Call.
 */
function contextTool(
  { surface }: RegistryState,
  name: string,
  { context }: RunOptions,
): ToolEntry | undefined {
  return surface.contextTools(context).find(({ facts }) => facts.name === name)
}

/**
 * Filters the Tools that are on. One whose `enabled` throws is off and is reported; a Call of it fails with that error.
 */
export function enabledTools(
  { events }: RegistryState,
  entries: Iterable<ToolEntry>,
  context: ContextLike | undefined,
  principal?: unknown,
): ToolEntry[] {
  return Array.from(entries).filter((entry) => {
    try {
      return isEnabled(entry, context, principal)
    } catch (error) {
      events.failed('enabled', error, `Tool "${entry.facts.name}" is off, since its \`enabled\` failed.`)
      return false
    }
  })
}

/** Lists the names of the Tools that the client may see. */
function namesFor(state: RegistryState, { context, principal }: RunOptions): string[] {
  return enabledTools(state, state.tools.entries, context, principal).map(({ facts }) => facts.name)
}

/**
 * Returns whether a Tool is on, by its `enabled` (TOOL-9).
 *
 * @throws ActivityError `activity_failed` if the function throws; CallError `invalid_options` if it returns anything
 * but a boolean, such as a promise, which would be truthy.
 */
function isEnabled(
  { enabled, facts }: ToolEntry,
  context: ContextLike | undefined,
  principal?: unknown,
): boolean {
  if (typeof enabled !== 'function') return enabled
  let isOn: unknown
  try {
    isOn = enabled(messagesOf(context), principal)
  } catch (thrown) {
    throw asError(thrown, `The option \`enabled\` of Tool "${facts.name}" threw`)
  }
  return yesOrNo(`The option \`enabled\` of Tool "${facts.name}"`, isOn)
}
