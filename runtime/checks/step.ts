import { problem } from '../problems/problem.ts'
import type { Reasons } from './reasons.ts'

/** Returns whether a value is valid, without reasons. */
// biome-ignore lint/suspicious/noExplicitAny: verdicts read properties off values that they have just tested
export type Verdict = (value: any) => boolean

/**
 * One step of a check.
 *
 * With `problems` null it is the quick pass: returns whether the value is valid. With `problems` it is the collecting pass: adds
 * every problem and always returns true, so that the steps after it run too. One chain of `&&` serves both.
 */
// biome-ignore lint/suspicious/noExplicitAny: steps read properties off values that an earlier step has tested
export type Step = (value: any, path: string, problems: Reasons | null) => boolean

/** Adds a problem in the collecting pass. @returns The step's result for an invalid value. */
export function fail(value: unknown, path: string, problems: Reasons | null, expected: string): boolean {
  if (problems === null) return false
  problems.add(() => problem(path, expected, value))
  return true
}
