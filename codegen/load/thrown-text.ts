import { messageOf } from '../../runtime/problems/message-of.ts'

/** What a definition threw, in words; anything can be thrown, also what throws again when it is looked at. */
export function thrownText(thrown: unknown): string {
  return quietly(() => (thrown instanceof Error ? thrown.name : undefined), undefined) === undefined
    ? messageOf(thrown)
    : `${quietly(() => String((thrown as Error).name), 'Error')}: ${messageOf(thrown)}`
}

/** The stack of what was thrown; empty where there is none to read. */
export function stackOf(thrown: unknown): string {
  return quietly(() => (thrown instanceof Error && typeof thrown.stack === 'string' ? thrown.stack : ''), '')
}

/** `instanceof`, which throws for a proxy that has been revoked or that traps it. */
export function isThrown(thrown: unknown, kind: new (...given: never[]) => Error): boolean {
  return quietly(() => thrown instanceof kind, false)
}

function quietly<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read()
  } catch {
    // A getter of the thrown object threw in turn: there is nothing to read.
    return otherwise
  }
}
