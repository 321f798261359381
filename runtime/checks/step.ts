import type { Problem } from '../errors.ts'
import { problem } from '../problems/problem.ts'

/**
 * One step of a check, which generated code and the interpreter are made of.
 *
 * `problems` null: a quick pass, which answers whether the value is right so far. With a list: a pass that collects,
 * which pushes what is wrong and always answers true, so that the steps after it run too. One chain of `&&` does both.
 */
// biome-ignore lint/suspicious/noExplicitAny: steps read properties off values that an earlier step has tested
export type Step = (value: any, path: string, problems: Problem[] | null) => boolean

/** What a step answers for a wrong value. */
export function fail(value: unknown, path: string, problems: Problem[] | null, expected: string): boolean {
  return problems !== null && problems.push(problem(path, expected, value)) > 0
}
