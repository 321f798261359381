import { checkInstance } from '../../context/instances.ts'
import type { Call } from '../../context/message.ts'
import { outputPathOf } from '../../context/output-path.ts'
import type { Expression } from '../../context/reference.ts'
import { resolveReferences } from '../../context/resolve-references.ts'
import { scopedContext } from '../../context/scope.ts'
import { readerOf } from '../../context/state.ts'
import { copyJson } from '../../json/json-copy.ts'
import type { ToolFacts } from '../../schema/tool-facts.ts'
import type { ActivityContext } from '../../tools/activity.ts'
import type { RunOptions } from '../run-options.ts'
import { provision } from './provision.ts'

/** What a Call's context makes of it. */
export interface CallInContext {
  /** The Call with values in place of References; the Call itself where there are none. */
  readonly call: Call
  /** Where its output goes. */
  readonly path: Expression | undefined
  /** What its Activity may see; made once the Call has passed its checks. */
  context(): ActivityContext
}

/**
 * Reads a Call against its context: instance, output path, References, scopes.
 *
 * @throws CallError `unknown_instance`, `invalid_path`, `unresolved_reference` or `invalid_call`.
 */
export function callInContext(facts: ToolFacts, call: Call, options: RunOptions): CallInContext {
  const reader = readerOf(options.context)
  const instance = call._instance as string | undefined
  if (instance !== undefined) checkInstance(reader, instance)
  const path = outputPathOf(call)
  const { parameters, scopes, literal } = facts
  const { references } = options
  const resolved = resolveReferences(call, reader, { parameters, scopes, literal, references })
  return {
    call: resolved,
    path,
    context: () => {
      const entries = scopes ?? (resolved._scopes as string[] | undefined)
      // Without scopes nothing is seen, and the Messages of a view need not be listed for that.
      const messages = entries && entries.length > 0 ? reader.messages : []
      return provision(scopedContext(messages, entries, instance), entries, instance)
    },
  }
}

/** What a model that is asked for an output sees where its Tool says nothing about scopes (SCOPE-3): a copy of all. */
export function wholeContext(options: RunOptions, instance: unknown): ActivityContext {
  const { messages } = readerOf(options.context)
  return copyJson(messages.filter(({ _instance }) => _instance === undefined || _instance === instance))
}
