import type { ContextLike } from '../../context/context.ts'
import type { Reader } from '../../context/reader.ts'
import type { DispatchPolicy } from './executor.ts'

/** The property of a policy that contains its context view. A symbol, so that JSON and structured clones leave it out. */
const viewKey = Symbol('view')

/** One getter shared by all policies: a getter in an object literal is created for each, and makes the object slow. */
const contextProperty: PropertyDescriptor & ThisType<{ readonly [viewKey]: Reader }> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[viewKey].messages
  },
}

/**
 * Creates the policy of a Call of a plan. Its `context` is computed when it is read, for example by an engine that
 * stores the policy: a separate list for each Call would take quadratic time for a long chain.
 */
export function callPolicy(
  view: Pick<Reader, 'messages'>,
  {
    effects,
    deadline,
    isApproved,
    approvedContract,
    isAsked,
    unasked,
  }: Pick<DispatchPolicy, 'effects' | 'deadline' | 'isApproved' | 'approvedContract' | 'isAsked' | 'unasked'>,
): DispatchPolicy {
  const policy = {
    kind: 'call',
    effects,
    deadline,
    ...(isApproved && { isApproved, approvedContract }),
    ...(isAsked && { isAsked }),
    ...(unasked && { unasked }),
    [viewKey]: view,
  }
  return Object.defineProperty(policy, 'context', contextProperty) as unknown as DispatchPolicy
}

/** Returns the context of a Call: the view in its policy, or the list of a policy that was stored or copied. */
export function contextOf(policy: DispatchPolicy): ContextLike {
  // Read-only: the loop appends the Messages of a Call, so a view has no `append`.
  return (policy as { readonly [viewKey]?: ContextLike })[viewKey] ?? policy.context
}
