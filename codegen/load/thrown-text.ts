import { messageOf } from '../../runtime/problems/message-of.ts'

/** Describes what a definition threw. It can be any value, even one that throws when it is read. */
export function thrownText(thrown: unknown): string {
  return quietly(() => (thrown instanceof Error ? thrown.name : undefined), undefined) === undefined
    ? messageOf(thrown)
    : `${quietly(() => String((thrown as Error).name), 'Error')}: ${messageOf(thrown)}`
}

/** Returns the stack of a thrown value; empty if it has none. */
export function stackOf(thrown: unknown): string {
  return quietly(() => (thrown instanceof Error && typeof thrown.stack === 'string' ? thrown.stack : ''), '')
}

/** `instanceof`, for proxies that throw on it. */
export function isThrown(thrown: unknown, kind: new (...given: never[]) => Error): boolean {
  return quietly(() => thrown instanceof kind, false)
}

function quietly<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read()
  } catch {
    // A getter of the thrown object threw as well.
    return otherwise
  }
}
