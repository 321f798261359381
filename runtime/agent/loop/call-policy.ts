import type { ContextLike } from '../../context/context.ts'
import type { Reader } from '../../context/reader.ts'
import type { DispatchPolicy } from './executor.ts'

/** Where a policy keeps the view that it was made of: no JSON and no structured clone carries it along. */
const viewOf = Symbol('view')

/** One property for all policies: a getter in a literal is made anew for each, and makes a slow object of it. */
const listed: PropertyDescriptor & ThisType<{ readonly [viewOf]: Reader }> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[viewOf].messages
  },
}

/**
 * Makes the policy of a Call of a plan. Its `context` is listed when somebody looks at it, such as an engine that stores
 * the policy: each Call's own list of all that it waits for would make a long chain cost the square of its length.
 */
export function callPolicy(
  view: Reader,
  {
    effects,
    deadline,
    isApproved,
    isAsked,
  }: Pick<DispatchPolicy, 'effects' | 'deadline' | 'isApproved' | 'isAsked'>,
): DispatchPolicy {
  const policy = {
    kind: 'call',
    effects,
    deadline,
    ...(isApproved && { isApproved }),
    ...(isAsked && !isApproved && { isAsked }),
    [viewOf]: view,
  }
  return Object.defineProperty(policy, 'context', listed) as unknown as DispatchPolicy
}

/** What a Call runs in: the view that its policy was made of, or the list of a policy that has been stored or copied. */
export function contextOf(policy: DispatchPolicy): ContextLike {
  // Only read: what a Call adds is appended by the loop, so that a view has no `append`.
  return (policy as { readonly [viewOf]?: ContextLike })[viewOf] ?? policy.context
}
