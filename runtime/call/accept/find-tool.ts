import type { ContextLike } from '../../context/context.ts'
import type { Call } from '../../context/message.ts'
import { messagesOf } from '../../context/messages-of.ts'
import { CallError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
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
 * @throws CallError `invalid_call` when the Call names none, `unknown_tool` when it is not there or switched off.
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
    // Somebody for whom it does not exist is told nothing of it, nor why (SERVE-6).
    const [isThere] = enabledTools(state, [entry], options.context, options.principal)
    if (!isThere) throw unknownTool(name, namesFor(state, options), guess)
  } else if (!isEnabled(entry, options.context)) {
    throw new CallError('unknown_tool', `Tool "${name}" is switched off by its option \`enabled\`.`)
  }
  return entry
}

/** What else it may be that names no Tool. */
function adviceFor(call: object): string {
  // What Tool(…) gives has run already; groups take the Calls themselves.
  if (call instanceof Promise) return ' (this is a Promise; a Call is what calls.NAME(…) makes)'
  if ('_tool' in call || !['name', 'function', 'functionCall'].some((key) => key in call)) return ''
  return ' (Tool.parse makes Calls of what a provider sent)'
}

/** A Tool that came with the context. Apart, where the variables of a closure would be kept for every Call. */
function contextTool(
  { surface }: RegistryState,
  name: string,
  { context }: RunOptions,
): ToolEntry | undefined {
  return surface.contextTools(context).find(({ facts }) => facts.name === name)
}

/**
 * Lists the Tools that are on. One whose `enabled` fails is off: a Call of it says why, and it does not take the others along.
 *
 * @param entries Those to look at.
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

/** The names of the Tools that the caller may see. */
function namesFor(state: RegistryState, { context, principal }: RunOptions): string[] {
  return enabledTools(state, state.tools.entries, context, principal).map(({ facts }) => facts.name)
}

/**
 * The Tool's own function gets the Messages, and what it throws is not the Call's fault (TOOL-9).
 *
 * @throws CallError `invalid_options` where it answers neither yes nor no: a promise would switch everything on.
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
