import type { Message } from '../../context/message.ts'
import { parseScopes } from '../../context/scope-list.ts'
import { readState } from '../../context/state.ts'
import { copyJson } from '../../json/json-copy.ts'
import type { ActivityContext } from '../../tools/activity.ts'

/** What a context was provisioned with, so that a copy can be as well. */
interface Provision {
  readonly scopes: readonly string[]
  readonly instance: string | undefined
}

const provisions = new WeakMap<object, Provision>()

/**
 * Gives a scoped context its members (TYPE-4): `context.state` is what the Messages of the kind come to, as the Call's
 * instance reads them; an empty object when there are none. A member is read when it is first looked at. It is hidden
 * and no name that a list has itself, so that to everything else the context is the list of its Messages.
 *
 * @param messages A list that nobody else has.
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
      // A copy of what was there when the Activity began to look, as References give.
      const found = readState(messages, { kind, segments: [] }, instance)
      const value = found === undefined ? {} : copyJson(found)
      Object.defineProperty(messages, kind, { value, configurable: true, writable: true })
      return value
    },
  })
}

/** Gives a list the members of a context that it holds more than: what a delegate sees is that, and what is its own. */
export function provisionAs(messages: readonly Message[], context: ActivityContext): ActivityContext {
  const { scopes, instance } = provisions.get(context) ?? {}
  return provision(messages, scopes, instance)
}

/** A deep copy, for one more attempt: what an earlier one did to its context does not reach it. */
export function copyContext(context: ActivityContext): ActivityContext {
  return provisionAs(copyJson(context), context)
}
