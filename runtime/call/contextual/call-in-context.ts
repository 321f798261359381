import { sizeOf } from '../../context/copied-data.ts'
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

/** A Call after its context was read. */
export interface CallInContext {
  /** The Call with values instead of References; the same object if it has none. */
  readonly call: Call
  /** The parsed `_outputPath`. */
  readonly path: Expression | undefined
  /** Returns the Messages that the Activity may see. A function, so that an invalid Call does not pay for it. */
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
  const copies = path?.alternatives[0]?.length
  const resolved = resolveReferences(call, reader, { parameters, scopes, literal, references, copies })
  return {
    call: resolved,
    path,
    context: () => {
      const entries = scopes ?? (resolved._scopes as string[] | undefined)
      // Without scopes the Activity sees nothing; some readers build `messages` on access, which is then saved.
      const messages = entries && entries.length > 0 ? reader.messages : []
      const visible = scopedContext(messages, entries, instance)
      reader.copied?.add(sizeOf(visible))
      return provision(visible, entries, instance)
    },
  }
}

/**
 * Copies the whole context, for a model that answers a Call without scopes (SCOPE-3); without Messages of other
 * instances.
 */
export function wholeContext(options: RunOptions, instance: unknown): ActivityContext {
  const { messages, copied } = readerOf(options.context)
  const visible = messages.filter(({ _instance }) => _instance === undefined || _instance === instance)
  const seen = copyJson(visible)
  copied?.add(sizeOf(seen))
  return seen
}
