import { problem } from '../problems/problem.ts'
import type { Reasons } from './reasons.ts'

/** Answers whether a value is right, and says nothing about why. */
// biome-ignore lint/suspicious/noExplicitAny: verdicts read properties off values that they have just tested
export type Verdict = (value: any) => boolean

/**
 * One step of a check, which the reasons and the interpreter are made of.
 *
 * `problems` null: a quick pass, which answers whether the value is right so far. With reasons: a pass that collects,
 * which adds what is wrong and always answers true, so that the steps after it run too. One chain of `&&` does both.
 */
// biome-ignore lint/suspicious/noExplicitAny: steps read properties off values that an earlier step has tested
export type Step = (value: any, path: string, problems: Reasons | null) => boolean

/** What a step answers for a wrong value. */
export function fail(value: unknown, path: string, problems: Reasons | null, expected: string): boolean {
  if (problems === null) return false
  problems.add(() => problem(path, expected, value))
  return true
}
