import type { Message } from '../../context/message.ts'
import { parseScopes } from '../../context/scope-list.ts'
import { readState } from '../../context/state.ts'
import { copyJson } from '../../json/json-copy.ts'
import type { ActivityContext } from '../../tools/activity.ts'

/** The arguments that a context was provisioned with, for its copies. */
interface Provision {
  readonly scopes: readonly string[]
  readonly instance: string | undefined
}

const provisions = new WeakMap<object, Provision>()

/**
 * Adds one member per kind to a scoped context (TYPE-4): `context.state` is the merged data of the Messages of that
 * kind, as the Call's instance reads them; an empty object if there are none. A member is computed on first access. It
 * is not enumerable, and kinds named like a member of arrays get none, so that the context still works as an array of
 * Messages.
 *
 * @param messages Changed in place: an array that nobody else holds.
 */
export function provision(
  messages: readonly Message[],
  scopes: readonly string[] | undefined,
  instance: string | undefined,
): ActivityContext {
  if (!scopes || scopes.length === 0) return messages
  provisions.set(messages, { scopes, instance })
  for (const kind of parseScopes(scopes).keys()) {
    if (!(kind in messages)) defineMember(messages, kind, instance)
  }
  return messages
}

function defineMember(messages: readonly Message[], kind: string, instance: string | undefined): void {
  Object.defineProperty(messages, kind, {
    configurable: true,
    get() {
      // A copy, taken on first access: the Activity may change it, as it may change resolved References.
      const found = readState(messages, { kind, segments: [] }, instance)
      const value = found === undefined ? {} : copyJson(found)
      Object.defineProperty(messages, kind, { value, configurable: true, writable: true })
      return value
    },
  })
}

/**
 * Adds to `messages` the members that `context` was provisioned with: for copies of it, and for contexts that extend
 * it.
 */
export function provisionAs(messages: readonly Message[], context: ActivityContext): ActivityContext {
  const { scopes, instance } = provisions.get(context) ?? {}
  return provision(messages, scopes, instance)
}

/** Copies a context deeply, members included, so that another attempt does not see what an earlier one changed. */
export function copyContext(context: ActivityContext): ActivityContext {
  return provisionAs(copyJson(context), context)
}
