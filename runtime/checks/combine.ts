import type { Problem } from '../errors.ts'
import { oneOfWords, pointerSegment, problem } from '../problems/problem.ts'
import { fail, type Step } from './step.ts'

/** Everything is right. */
export function anything(): boolean {
  return true
}

/** Nothing is right: the schema `false`. */
export function never(value: unknown, path: string, problems: Problem[] | null): boolean {
  return fail(value, path, problems, 'nothing: no value is valid here')
}

/** Applies a step to a value; lets generated code name a value once. */
export function at(value: unknown, path: string, problems: Problem[] | null, step: Step): boolean {
  return step(value, path, problems)
}

/**
 * At least one of several shapes.
 *
 * @param tag The property that tells the shapes apart, each fixing it to another value. A wrong value is then compared
 * with the shape that it names.
 */
export function anyOf(
  value: unknown,
  path: string,
  problems: Problem[] | null,
  steps: readonly Step[],
  tag?: string,
): boolean {
  if (steps.some((step) => step(value, '', null))) return true
  return problems !== null && pushNearest(value, path, problems, steps, tag)
}

/** Exactly one of several shapes. */
export function oneOf(
  value: unknown,
  path: string,
  problems: Problem[] | null,
  steps: readonly Step[],
  tag?: string,
): boolean {
  const matches = steps.filter((step) => step(value, '', null)).length
  if (matches === 1) return true
  if (problems === null) return false
  if (matches === 0) return pushNearest(value, path, problems, steps, tag)
  return fail(value, path, problems, `exactly one of ${steps.length} shapes, not ${matches} of them`)
}

/** Not what the step accepts. */
export function not(value: unknown, path: string, problems: Problem[] | null, step: Step): boolean {
  return !step(value, '', null) || fail(value, path, problems, 'a value of another kind (excluded by `not`)')
}

/** One step or another, by whether a condition holds. */
export function choose(
  value: unknown,
  path: string,
  problems: Problem[] | null,
  condition: Step,
  then: Step,
  otherwise: Step,
): boolean {
  return (condition(value, '', null) ? then : otherwise)(value, path, problems)
}

/**
 * Reports what is wrong when no shape fits: the problems of the one shape that the value is evidently meant to be,
 * else one problem that names every shape.
 */
function pushNearest(
  value: unknown,
  path: string,
  problems: Problem[],
  steps: readonly Step[],
  tag: string | undefined,
): boolean {
  const attempts = steps.map((step) => {
    const wrong: Problem[] = []
    step(value, path, wrong)
    return wrong
  })
  const tagPath = tag === undefined ? path : `${path}/${pointerSegment(tag)}`
  const meant = attempts.filter((wrong) => wrong.length > 0 && !wrong.some((each) => each.path === tagPath))
  const [only] = meant
  if (only && meant.length === 1) {
    for (const each of only) problems.push(each)
    return true
  }
  const tagged = tag === undefined ? undefined : wrongTag(attempts, path, tagPath)
  problems.push(
    tagged ?? problem(path, oneOfWords(distinct(attempts.map((wrong) => words(wrong, path)))), value),
  )
  return true
}

/** The tag's own problem, when the value is of the right type and its tag names none of the shapes. */
function wrongTag(attempts: readonly Problem[][], path: string, tagPath: string): Problem | undefined {
  const wrong = attempts.map((attempt) => attempt.find((each) => each.path === tagPath))
  const [first] = wrong
  if (
    !first ||
    wrong.includes(undefined) ||
    attempts.some((attempt) => attempt.some((each) => each.path === path))
  ) {
    return undefined
  }
  const expected = oneOfWords(distinct(wrong.flatMap((each) => each?.expected ?? [])))
  return { ...first, expected, message: `${tagPath}: expected ${expected}, got ${first.received}` }
}

/** What one shape expected, in words that hold at `path`. */
function words(wrong: readonly Problem[], path: string): string {
  const [first] = wrong
  if (!first || first.path === path) return first?.expected ?? 'another value'
  return `a value whose ${first.path.slice(path.length)} is ${first.expected}`
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)]
}
