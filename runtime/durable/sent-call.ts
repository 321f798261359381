import { contextOf } from '../agent/loop/call-policy.ts'
import type { DispatchPolicy } from '../agent/loop/executor.ts'
import type { Call } from '../context/message.ts'
import { resolveReferences } from '../context/resolve-references.ts'
import { readerOf } from '../context/state.ts'
import { isJsonObject, own } from '../json/json.ts'
import { planReading } from '../plan/plan-reading.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { toolFacts } from '../schema/tool-facts.ts'
import type { ActivityRequest } from './activity-request.ts'
import type { SentTool } from './engine-tools.ts'
import { requireSendable } from './require-sendable.ts'
import { withSeenAlternatives } from './seen-alternatives.ts'

/** Meta-fields that make a Call depend on its context, in addition to References. */
const contextMetaFields: readonly string[] = ['_instance', '_scopes', '_delegate']

/**
 * Builds the request for a Call that runs in another process. If a Call only reads single values, its References are
 * resolved first, so that its context, which grows with every Call, need not be sent.
 *
 * @param tool If its References are restricted, they are resolved here, since the receiver does not know the restriction.
 * @param approved The Call in its approved form. Default: the Call itself.
 * @throws CallError `unresolved_reference` or `invalid_path`, as running it here would; `invalid_call` if it is not JSON.
 */
export function sentCall(
  call: Call,
  key: string,
  policy: DispatchPolicy,
  { schema, isSwitched = false, references }: SentTool,
  approved?: { readonly call: Call; readonly isResolved: boolean },
): ActivityRequest {
  requireSendable(approved?.call ?? call)
  const { isReadable, complete } = planReading(() => schema, [])
  const { call: sending, isResolved } = approved ?? { call: complete(call), isResolved: false }
  const { deadline } = policy
  const common = { id: key, variantKey: runOf(key), ...(deadline !== undefined && { deadline }) }
  const isSeeing = isSwitched || seesContext(sending, schema)
  const sent = {
    ...common,
    ...((approved || policy.isApproved) && { isApproved: true }),
    ...(policy.unasked && { unasked: policy.unasked }),
    ...(isSeeing && { context: policy.context }),
  }
  if (isResolved) return { ...sent, call: sending, isResolved }
  const view = readerOf(contextOf(policy))
  if (isSeeing && references === undefined) {
    return { ...sent, call: withSeenAlternatives(sending, view, isReadable) }
  }
  const { parameters, scopes, literal } = toolFacts(call._tool, schema)
  const resolved = resolveReferences(sending, view, {
    ...(parameters && { parameters }),
    ...(scopes && { scopes }),
    ...(literal && { literal }),
    references,
  })
  return { ...sent, call: resolved, isResolved: true }
}

/** Returns the run id at the beginning of a key. */
export function runOf(key: string): string {
  return key.slice(0, key.lastIndexOf(':'))
}

function seesContext(call: Call, schema: ToolSchema): boolean {
  const { scopes, delegate } = toolFacts(call._tool, schema)
  if (scopes !== undefined || delegate !== undefined || !isJsonObject(call)) return true
  return contextMetaFields.some((name) => own(call, name) !== undefined)
}
