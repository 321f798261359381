import { isJsonObject } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { noSuchProperty, oneOfWords, problem, wantedValue } from '../problems/problem.ts'
import { Reasons } from './reasons.ts'
import type { Step } from './step.ts'
import { namedShapes, type Tag, tagOf, untaggedShapes } from './tag.ts'

/**
 * Reports that no shape of a union fits: by the problems of the one shape that the value is evidently meant to be, else by one
 * problem that names all shapes. Always returns true, as collecting steps do.
 */
export function collectNearest(
  value: unknown,
  path: string,
  problems: Reasons,
  steps: readonly Step[],
  tag: Tag | undefined,
): true {
  const attempts = possibleShapes(value, steps, tag).map((step) => attempt(step, value, path))
  if (tag && isJsonObject(value) && !isNamed(value, tag) && attempts.every((each) => isAt(path, each))) {
    collectTag(value, path, problems, tag)
    return true
  }
  const meant = attempts.filter((each) => !each.isEmpty && !isAt(path, each))
  const [only] = meant
  if (only && meant.length === 1) problems.addAll(only)
  else {
    problems.add(() => problem(path, oneOfWords(distinct(attempts.map((each) => words(each, path)))), value))
  }
  return true
}

/** Returns the shapes that the value's tag names; for an object without one, those without a tag; otherwise all shapes. */
function possibleShapes(value: unknown, steps: readonly Step[], tag: Tag | undefined): readonly Step[] {
  if (!tag || !isJsonObject(value)) return steps
  const named = namedShapes(value, steps, tag)
  return named.length > 0 ? named : untaggedShapes(steps, tag)
}

function isNamed(value: unknown, { name, values }: Tag): boolean {
  return values.some((each) => each?.includes(tagOf(value, name)))
}

function collectTag(value: unknown, path: string, problems: Reasons, { name, values }: Tag): void {
  const expected = oneOfWords(distinct(values.flatMap((each) => each ?? []).map(wantedValue)))
  problems.add(() => problem(`${path}/${pointerSegment(name)}`, expected, tagOf(value, name)))
}

function attempt(step: Step, value: unknown, path: string): Reasons {
  const reasons = new Reasons()
  step(value, path, reasons)
  return reasons
}

/** True if some problem is about the value itself rather than a part of it. */
function isAt(path: string, { problems }: Reasons): boolean {
  return [...problems].some((each) => each.path === path)
}

/** Describes what one shape expected of the value at `path`. */
function words({ problems }: Reasons, path: string): string {
  for (const { path: at, expected } of problems) {
    if (at === path) return expected
    const part = at.slice(path.length)
    return expected === noSuchProperty ? `a value without ${part}` : `a value whose ${part} is ${expected}`
  }
  return 'another value'
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)]
}
