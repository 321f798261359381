import { collectNearest } from './nearest-shape.ts'
import type { Reasons } from './reasons.ts'
import { fail, type Step } from './step.ts'
import { namedShapes, type Tag, untaggedShapes } from './tag.ts'

/** Accepts every value. */
export function anything(): boolean {
  return true
}

/** Rejects every value: the schema `false`. */
export function never(value: unknown, path: string, problems: Reasons | null): boolean {
  return fail(value, path, problems, 'nothing: no value is valid here')
}

/** Applies a step to a value, so that generated code mentions the value only once. */
export function at(value: unknown, path: string, problems: Reasons | null, step: Step): boolean {
  return step(value, path, problems)
}

/**
 * Requires at least one of several shapes.
 *
 * @param tag The property that distinguishes the shapes. Only shapes that allow its value are tried.
 */
export function anyOf(
  value: unknown,
  path: string,
  problems: Reasons | null,
  steps: readonly Step[],
  tag?: Tag,
): boolean {
  const named = tag ? namedShapes(value, steps, tag) : []
  const possible = tag ? [...named, ...untaggedShapes(steps, tag)] : steps
  const [only] = named
  if (problems && only && possible.length === 1) return only(value, path, problems)
  if (possible.some((step) => step(value, '', null))) return true
  return problems !== null && collectNearest(value, path, problems, steps, tag)
}

/** Requires exactly one of several shapes. */
export function oneOf(
  value: unknown,
  path: string,
  problems: Reasons | null,
  steps: readonly Step[],
  tag?: Tag,
): boolean {
  const named = tag ? namedShapes(value, steps, tag) : []
  const possible = tag ? [...named, ...untaggedShapes(steps, tag)] : steps
  const [only] = named
  if (problems && only && possible.length === 1) return only(value, path, problems)
  const matches = possible.filter((step) => step(value, '', null)).length
  if (matches === 1) return true
  if (problems === null) return false
  if (matches === 0) return collectNearest(value, path, problems, steps, tag)
  return fail(value, path, problems, `exactly one of ${steps.length} shapes, not ${matches} of them`)
}

/** Rejects the values that a step accepts. */
export function not(value: unknown, path: string, problems: Reasons | null, step: Step): boolean {
  return !step(value, '', null) || fail(value, path, problems, 'a value of another kind (excluded by `not`)')
}

/** Applies one of two steps, depending on a condition. */
export function choose(
  value: unknown,
  path: string,
  problems: Reasons | null,
  condition: Step,
  then: Step,
  otherwise: Step,
): boolean {
  return (condition(value, '', null) ? then : otherwise)(value, path, problems)
}
