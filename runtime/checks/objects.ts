import { type JsonObject, own } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { nearest } from '../problems/nearest.ts'
import { extraProperty, problem, saidProblems } from '../problems/problem.ts'
import { isListed } from './listed.ts'
import { Reasons } from './reasons.ts'
import { record } from './record.ts'
import { countWords, regularExpression, typeWords } from './scalars.ts'
import { fail, type Step } from './step.ts'

/**
 * Requires an object.
 *
 * @param names All allowed properties, if the object is closed.
 * @param fields Checks the properties. Receives an object that inherits from nothing but `Object.prototype`.
 */
export function object(
  value: unknown,
  path: string,
  problems: Reasons | null,
  names?: readonly string[] | null,
  fields?: Step,
): boolean {
  const plain = record(value)
  if (!plain) return fail(value, path, problems, typeWords.object)
  return (!fields || fields(plain, path, problems)) && (!names || closed(plain, path, problems, names))
}

/** Rejects properties other than the named ones and those that match a pattern. */
export function closed(
  value: JsonObject,
  path: string,
  problems: Reasons | null,
  names: readonly string[],
  patterns?: readonly string[],
): boolean {
  for (const name of Object.keys(value)) {
    if (isListed(names, name) || patterns?.some((source) => regularExpression(source).test(name))) continue
    if (!problems) return false
    extra(value, name, path, problems, names)
  }
  return true
}

/** Rejects the named properties. */
export function without(
  value: JsonObject,
  path: string,
  problems: Reasons | null,
  names: readonly string[],
): boolean {
  for (const name of names) {
    if (own(value, name) === undefined) continue
    if (!problems) return false
    extra(value, name, path, problems, [])
  }
  return true
}

/** Checks every property that is neither named nor matches a pattern. */
export function others(
  value: JsonObject,
  path: string,
  problems: Reasons | null,
  step: Step,
  names: readonly string[],
  patterns: readonly string[] = [],
): boolean {
  for (const name of Object.keys(value)) {
    if (isListed(names, name) || patterns.some((source) => regularExpression(source).test(name))) continue
    if (!step(value[name], at(path, name, problems), problems)) return false
  }
  return true
}

/** Checks every property whose name matches the pattern. */
export function matching(
  value: JsonObject,
  path: string,
  problems: Reasons | null,
  source: string,
  step: Step,
): boolean {
  for (const name of Object.keys(value)) {
    if (!regularExpression(source).test(name)) continue
    if (!step(value[name], at(path, name, problems), problems)) return false
  }
  return true
}

/** Checks the name of every property. */
export function named(value: JsonObject, path: string, problems: Reasons | null, step: Step): boolean {
  for (const name of Object.keys(value)) {
    if (step(name, '', null)) continue
    if (!problems) return false
    problems.add(() => {
      const wrong = new Reasons()
      step(name, '', wrong)
      const [first] = wrong.problems
      const expected = first?.expected ?? 'another one'
      return problem(at(path, name, problems), `a property name that is ${expected}`, name)
    })
  }
  return true
}

/** Requires between `least` and `most` own properties. */
export function counted(
  value: JsonObject,
  path: string,
  problems: Reasons | null,
  least: number,
  most?: number,
): boolean {
  const count = Object.keys(value).length
  if (count >= least && (most === undefined || count <= most)) return true
  return fail(value, path, problems, `an object with ${countWords(least, most, 'property')}`)
}

/** Requires a property, with any value. */
export function present(value: unknown, path: string, problems: Reasons | null): boolean {
  return value !== undefined || fail(value, path, problems, 'a value')
}

/** Requires properties, with any values. */
export function required(
  value: JsonObject,
  path: string,
  problems: Reasons | null,
  names: readonly string[],
): boolean {
  return names.every(
    (name) => own(value, name) !== undefined || present(undefined, at(path, name, problems), problems),
  )
}

/** Applies a step if a property is present. */
export function dependent(
  value: JsonObject,
  path: string,
  problems: Reasons | null,
  name: string,
  step: Step,
): boolean {
  return own(value, name) === undefined || step(value, path, problems)
}

/** The properties that a subschema evaluates if it holds: names and patterns, or `true` for all. */
export type Evaluated = readonly [
  when: Step | null,
  names: readonly string[] | true,
  patterns?: readonly string[],
]

/** Checks every property that no subschema has evaluated; with `step` null, none is allowed. */
export function unevaluated(
  value: JsonObject,
  path: string,
  problems: Reasons | null,
  step: Step | null,
  evaluated: readonly Evaluated[],
): boolean {
  const names: string[] = []
  const patterns: string[] = []
  // What is wrong in the value may be why a subschema does not hold, so that what it declares would look like a mistake as well.
  const isWrong = problems && [...problems.problems].some((each) => `${each.path}/`.startsWith(`${path}/`))
  for (const [when, seen, seenPatterns] of evaluated) {
    if (when && !isWrong && !when(value, '', null)) continue
    if (seen === true) return true
    names.push(...seen)
    if (seenPatterns) patterns.push(...seenPatterns)
  }
  return step
    ? others(value, path, problems, step, names, patterns)
    : closed(value, path, problems, names, patterns)
}

function extra(
  value: JsonObject,
  name: string,
  path: string,
  problems: Reasons,
  names: readonly string[],
): void {
  problems.add((earlier) => {
    // Suggestions only for the problems that a message spells out: a hostile Call can have 200,000 (CALL-11a).
    const free = earlier < saidProblems ? names.filter((each) => !Object.hasOwn(value, each)) : []
    return extraProperty(at(path, name, problems), value[name], nearest(name, free))
  })
}

function at(path: string, name: string, problems: Reasons | null): string {
  return problems ? `${path}/${pointerSegment(name)}` : ''
}
