import { CallsheetError, type Problem } from '../errors.ts'
import { isJsonObject, own } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { type FieldRule, hasMembers, type MemberRules } from './field-rule.ts'
import { nearest } from './nearest.ts'
import {
  briefly,
  ended,
  extraProperty,
  listProblems,
  noSuchProperty,
  oneOfWords,
  problem,
  saidProblem,
} from './problem.ts'

/** What each option of a function must be: every option, once. */
export type OptionRules<Options extends object> = Readonly<Record<keyof Options, FieldRule>>

/**
 * Lists what is wrong with an object of options, for callers without types: a misspelt one would silently do nothing, and so
 * would one that an object of a class inherits, since options are copied. An option that is undefined counts as left out. Never throws,
 * whatever it is given.
 *
 * @param at Where the options stand in others, as a JSON pointer: `/retry`.
 * @param required Options that have to be there.
 */
export function optionProblems(
  given: unknown,
  rules: object,
  at: string = '',
  required: readonly string[] = [],
): Problem[] {
  return memberProblems(given, { rules, required, isCopied: at === '' }, at)
}

function memberProblems(
  given: unknown,
  { rules = {}, each, required = [], eitherOf = [], isCopied = false }: MemberRules,
  at: string,
  around: object = {},
): Problem[] {
  const problems: Problem[] = []
  try {
    if (!hasMembers(given)) return [problem(at, 'an object of options', given)]
    // A loop, since every Call with options comes by here.
    for (const name of Object.keys(given)) {
      const value: unknown = given[name]
      if (value === undefined) continue
      const rule = (own(rules, name) as FieldRule | undefined) ?? each
      const within = isJsonObject(value) ? rule?.[2] : undefined
      if (!within && rule && holds(rule, value)) continue
      const path = `${at}/${pointerSegment(name)}`
      if (within) problems.push(...memberProblems(value, within, path, rules))
      else if (rule) problems.push(problem(path, rule[1], value))
      else problems.push(extraOption(name, value, at, rules, around))
    }
    const prototype: unknown = Object.getPrototypeOf(given)
    if (isCopied && prototype !== Object.prototype && prototype !== null) {
      const inherited = Object.keys(rules).filter((name) => name in given && !Object.hasOwn(given, name))
      const expected = 'a member of the object itself, not one that it inherits'
      for (const name of inherited) problems.push(problem(`${at}/${name}`, expected, given[name]))
    }
    for (const name of required) {
      if (given[name] === undefined)
        problems.push(problem(`${at}/${name}`, (own(rules, name) as FieldRule)[1], undefined))
    }
    if (eitherOf.length > 0 && eitherOf.every((name) => given[name] === undefined))
      problems.push(
        problem(at, `a member ${oneOfWords(eitherOf.map((name) => JSON.stringify(name)))}`, given),
      )
  } catch {
    // A getter or a proxy of the caller's threw; that it cannot be read is what there is to say.
    problems.push(problem(at, 'options that can be read', given))
  }
  return problems
}

/** Builds the problem of an option that there is not, with the place where it is one, or the name that may have been meant. */
function extraOption(name: string, value: unknown, at: string, rules: object, around: object): Problem {
  const path = `${at}/${pointerSegment(name)}`
  const place = placeOf(name, at, rules, around)
  if (place === undefined) return extraProperty(path, value, nearest(name, Object.keys(rules)))
  return saidProblem(path, noSuchProperty, briefly(value), `${noSuchProperty} here; it belongs ${place}`)
}

/** Finds where an option of this name belongs: beside the object that it stands in, or in one beside it. */
function placeOf(name: string, at: string, rules: object, around: object): string | undefined {
  if (Object.hasOwn(around, name)) return `beside ${JSON.stringify(at.split('/').at(-1))}`
  // An object with members that it needs is data that somebody hands back, not a group of options.
  const hasIt = ([, , within]: FieldRule): boolean =>
    Object.hasOwn(within?.rules ?? {}, name) && !within?.required?.length
  const groups = Object.entries(rules).filter(([, rule]) => hasIt(rule))
  if (groups.length === 0) return undefined
  return `in ${oneOfWords(groups.map(([group]) => JSON.stringify(group)))}`
}

/**
 * Requires the options of a function to be what its types say.
 *
 * @param of The function's name, for the message.
 * @param required Options that have to be there.
 * @throws CallsheetError `invalid_options` with every problem.
 */
export function requireOptionsOf<Options extends object>(
  of: string,
  given: unknown,
  rules: OptionRules<Options>,
  required: readonly (keyof Options & string)[] = [],
): void {
  const problems = optionProblems(given, rules, '', required)
  if (problems.length > 0) throw wrongOptions(of, problems)
}

/** The error of options that cannot be used. */
export function wrongOptions(of: string, problems: readonly Problem[]): CallsheetError {
  const sentence = ended(`The options of ${of} cannot be used: ${listProblems(problems)}`)
  return new CallsheetError('invalid_options', sentence, { problems })
}

/**
 * Requires an argument to be what a function's types say.
 *
 * @throws CallsheetError `invalid_options`.
 */
export function requireArgument(of: string, given: unknown, rule: FieldRule): void {
  if (holds(rule, given)) return
  throw new CallsheetError('invalid_options', `${of} takes ${rule[1]}, got ${briefly(given)}.`)
}

/** Whether a value is what a rule says. What throws when it is looked at is not what was expected. */
export function holds(rule: FieldRule, value: unknown): boolean {
  try {
    return rule[0](value)
  } catch {
    return false
  }
}
