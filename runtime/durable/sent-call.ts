import { contextOf } from '../agent/loop/call-policy.ts'
import type { DispatchPolicy } from '../agent/loop/executor.ts'
import type { Call } from '../context/message.ts'
import { resolveReferences } from '../context/resolve-references.ts'
import { readerOf } from '../context/state.ts'
import { isJsonObject, own } from '../json/json.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { toolFacts } from '../schema/tool-facts.ts'
import type { ActivityRequest } from './activity-request.ts'

/** Meta-fields of a Call by which it sees its context, beside References. */
const seeing: readonly string[] = ['_instance', '_scopes', '_delegate']

/**
 * Makes what is sent for a Call that runs elsewhere. A Call that only reads single values gets them put in place of its
 * References, so that its context, which grows with every Call before it, stays where it is.
 *
 * @param approved The Call as somebody has approved it; itself by default.
 * @throws CallError `unresolved_reference` or `invalid_path`, as running it here would.
 */
export function sentCall(
  call: Call,
  key: string,
  policy: DispatchPolicy,
  schema: ToolSchema,
  approved: { readonly call: Call; readonly isResolved: boolean } = { call, isResolved: false },
): ActivityRequest {
  const { deadline } = policy
  const common = { id: key, ...(deadline !== undefined && { deadline }) }
  if (seesContext(approved.call, schema)) {
    const context = policy.context
    return { ...common, call: approved.call, context, ...(approved.isResolved && { isResolved: true }) }
  }
  if (approved.isResolved) return { ...common, call: approved.call, isResolved: true }
  const { parameters, literal } = toolFacts(call._tool, schema)
  const resolved = resolveReferences(approved.call, readerOf(contextOf(policy)), {
    ...(parameters && { parameters }),
    ...(literal && { literal }),
  })
  return { ...common, call: resolved, isResolved: true }
}

function seesContext(call: Call, schema: ToolSchema): boolean {
  const { scopes, delegate } = toolFacts(call._tool, schema)
  if (scopes !== undefined || delegate !== undefined || !isJsonObject(call)) return true
  return seeing.some((name) => own(call, name) !== undefined)
}
