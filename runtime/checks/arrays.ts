import { firstRepeated } from '../json/same-json.ts'
import type { Reasons } from './reasons.ts'
import { countWords, typeWords } from './scalars.ts'
import { fail, type Step } from './step.ts'

/** Requires an array, with a step for every item and bounds for their number. */
export function array(
  value: unknown,
  path: string,
  problems: Reasons | null,
  step?: Step,
  least: number = 0,
  most?: number,
): boolean {
  if (!Array.isArray(value)) return fail(value, path, problems, typeWords.array)
  if (value.length < least || (most !== undefined && value.length > most)) {
    if (!fail(value, path, problems, `an array of ${countWords(least, most, 'item')}`)) return false
  }
  return !step || items(value, path, problems, step, 0)
}

/** Checks the first items, each by its own step. */
export function tuple(
  value: readonly unknown[],
  path: string,
  problems: Reasons | null,
  steps: readonly Step[],
): boolean {
  return steps.every(
    (step, index) =>
      index >= value.length || step(value[index], problems ? `${path}/${index}` : '', problems),
  )
}

/** Checks every item from an index on. */
export function items(
  value: readonly unknown[],
  path: string,
  problems: Reasons | null,
  step: Step,
  from: number,
): boolean {
  for (let index = from; index < value.length; index++) {
    if (!step(value[index], problems ? `${path}/${index}` : '', problems)) return false
  }
  return true
}

/** Requires items that are all different as JSON. */
export function unique(value: readonly unknown[], path: string, problems: Reasons | null): boolean {
  if (value.length < 2) return true
  const repeated = firstRepeated(value)
  if (!repeated) return true
  const { index, earlier } = repeated
  const expected = `an item other than item ${earlier}`
  return fail(value[index], problems ? `${path}/${index}` : '', problems, expected)
}

/** Requires between `least` and `most` items that pass a step. */
export function contains(
  value: readonly unknown[],
  path: string,
  problems: Reasons | null,
  step: Step,
  least: number,
  most?: number,
): boolean {
  let count = 0
  for (const item of value) {
    if (step(item, '', null)) count += 1
    if (count > (most ?? Number.POSITIVE_INFINITY) || (most === undefined && count >= least)) break
  }
  if (count >= least && (most === undefined || count <= most)) return true
  return fail(
    value,
    path,
    problems,
    `an array with ${countWords(least, most, 'item')} of the kind it must contain`,
  )
}
