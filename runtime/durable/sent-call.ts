import { contextOf } from '../agent/loop/call-policy.ts'
import type { DispatchPolicy } from '../agent/loop/executor.ts'
import type { Call } from '../context/message.ts'
import { resolveReferences } from '../context/resolve-references.ts'
import { readerOf } from '../context/state.ts'
import { isJsonObject, own } from '../json/json.ts'
import { planReading } from '../plan/plan-reading.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { toolFacts } from '../schema/tool-facts.ts'
import { requireSendable } from '../server/require-sendable.ts'
import type { ActivityRequest } from './activity-request.ts'
import type { SentTool } from './engine-tools.ts'
import { withSeenAlternatives } from './seen-alternatives.ts'

/** Meta-fields of a Call by which it sees its context, beside References. */
const seeing: readonly string[] = ['_instance', '_scopes', '_delegate']

/**
 * Makes what is sent for a Call that runs elsewhere. A Call that only reads single values gets them put in place of its
 * References, so that its context, which grows with every Call before it, stays where it is.
 *
 * @param tool Where References are not all read, they are read here: whoever gets the Call does not know which.
 * @param approved The Call as somebody has approved it; itself by default.
 * @throws CallError `unresolved_reference` or `invalid_path`, as running it here would; `invalid_call` for what is no JSON.
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

/** The run that stands in front of a key. */
export function runOf(key: string): string {
  return key.slice(0, key.lastIndexOf(':'))
}

function seesContext(call: Call, schema: ToolSchema): boolean {
  const { scopes, delegate } = toolFacts(call._tool, schema)
  if (scopes !== undefined || delegate !== undefined || !isJsonObject(call)) return true
  return seeing.some((name) => own(call, name) !== undefined)
}
