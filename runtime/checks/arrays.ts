import type { Problem } from '../errors.ts'
import { canonical } from './same.ts'
import { countWords, typeWords } from './scalars.ts'
import { fail, type Step } from './step.ts'

/** An array, with what every item must be and how many there may be. */
export function array(
  value: unknown,
  path: string,
  problems: Problem[] | null,
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

/** What the first items must be, each by its own step. */
export function tuple(
  value: readonly unknown[],
  path: string,
  problems: Problem[] | null,
  steps: readonly Step[],
): boolean {
  return steps.every(
    (step, index) =>
      index >= value.length || step(value[index], problems ? `${path}/${index}` : '', problems),
  )
}

/** What every item from an index on must be. */
export function items(
  value: readonly unknown[],
  path: string,
  problems: Problem[] | null,
  step: Step,
  from: number,
): boolean {
  for (let index = from; index < value.length; index++) {
    if (!step(value[index], problems ? `${path}/${index}` : '', problems)) return false
  }
  return true
}

/** No two items that are equal as JSON. */
export function unique(value: readonly unknown[], path: string, problems: Problem[] | null): boolean {
  if (value.length < 2) return true
  const seen = new Map<string | number, number>()
  for (const [index, item] of value.entries()) {
    const key = typeof item === 'number' ? item : canonical(item)
    const earlier = seen.get(key)
    if (earlier !== undefined) {
      return fail(item, problems ? `${path}/${index}` : '', problems, `an item other than item ${earlier}`)
    }
    seen.set(key, index)
  }
  return true
}

/** So many items of a kind. */
export function contains(
  value: readonly unknown[],
  path: string,
  problems: Problem[] | null,
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
