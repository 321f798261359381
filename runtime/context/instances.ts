import { CallError } from '../errors.ts'
import { briefly } from '../problems/problem.ts'
import type { Message } from './message.ts'
import type { Reader } from './reader.ts'

/** Most instances that an error lists. */
const listed = 10

/** Lists the instances of a context, in the order in which they first appear (INST-3). */
export function instancesOf(messages: readonly Message[]): string[] {
  const instances = new Set<string>()
  for (const { _instance } of messages) if (_instance !== undefined) instances.add(_instance)
  return [...instances]
}

/**
 * Requires the instance that a Call names to exist in its context. A value that is not a string is left to the Tool's schema.
 *
 * @throws CallError `unknown_instance`.
 */
export function checkInstance(reader: Reader, instance: unknown): void {
  if (typeof instance !== 'string' || reader.hasInstance(instance)) return
  const known = reader.instances()
  const list = known.slice(0, listed).map((name) => JSON.stringify(name))
  const rest = known.length > listed ? ` and ${known.length - listed} more` : ''
  const there =
    list.length > 0 ? `Instances in this context: ${list.join(', ')}${rest}` : 'This context has none'
  throw new CallError(
    'unknown_instance',
    `Unknown instance ${briefly(instance)}. ${there}. An instance exists once a Message carries its \`_instance\`.`,
  )
}
