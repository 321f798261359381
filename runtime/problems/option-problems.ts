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

/** Options that hold credentials, or are given one by mistake: errors, which are logged, do not quote what they got. */
const secretOption = /^(?:apiKey|authorizationServers|authorize|baseURL|client|headers|resource)$/

/** Stands for what may be a credential: that of a misspelt option too. */
const received = 'another value'

/** A rule for every option of a function. */
export type OptionRules<Options extends object> = Readonly<Record<keyof Options, FieldRule>>

/**
 * Lists the problems of an options object, for callers the compiler does not check. A misspelt option would silently do nothing,
 * and so would an inherited one, since options are copied. An undefined option counts as left out. Never throws, whatever the
 * value.
 *
 * @param at JSON pointer of the options within outer ones: `/retry`.
 * @param required Options that must be present.
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
    // A plain loop, since this runs for every Call with options.
    for (const name of namesIn(given, rules, each)) {
      const value: unknown = given[name]
      if (value === undefined) continue
      const isLost = (isCopied || each) && !Object.hasOwn(given, name)
      const rule = (own(rules, name) as FieldRule | undefined) ?? each
      const within = isJsonObject(value) ? rule?.[2] : undefined
      if (!isLost && !within && rule && holds(rule, value)) continue
      const path = `${at}/${pointerSegment(name)}`
      if (isLost) problems.push(unquoted(path, 'a member of the object itself, not one that it inherits'))
      else if (within) problems.push(...memberProblems(value, within, path, rules))
      else if (rule) problems.push((secretOption.test(name) ? unquoted : problem)(path, rule[1], value))
      // `attempt` in `retry` is a misspelt `attempts`, although there is an option `attempt` beside `retry`.
      else problems.push(extraOption(name, at, rules, nearest(name, required)[0] ? {} : around))
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
    // One of the caller's getters or proxies threw: report the object as unreadable.
    problems.push(problem(at, 'options that can be read', given))
  }
  return problems
}

/** Lists the members of an object, with those that it inherits and a rule names; of a record, with all that it inherits. */
function namesIn(given: object, rules: object, each: FieldRule | undefined): string[] {
  const names = Object.keys(given)
  if (Object.getPrototypeOf(given) === Object.prototype) return names
  for (const name in each ? given : rules) if (name in given && !Object.hasOwn(given, name)) names.push(name)
  return names
}

/** Builds the problem of an unknown option: where it would be valid, or which name may have been meant. */
function extraOption(name: string, at: string, rules: object, around: object): Problem {
  const path = `${at}/${pointerSegment(name)}`
  const place = placeOf(name, at, rules, around)
  if (place === undefined) return { ...extraProperty(path, 0, nearest(name, Object.keys(rules))), received }
  return saidProblem(path, noSuchProperty, received, `${noSuchProperty} here; it belongs ${place}`)
}

/** Builds the problem of an option that may hold a credential. */
function unquoted(path: string, expected: string): Problem {
  return saidProblem(path, expected, received, `expected ${expected}, got ${received}`)
}

/** Finds where an option of this name is valid: next to the object that contains it, or in one of its neighbours. */
function placeOf(name: string, at: string, rules: object, around: object): string | undefined {
  if (Object.hasOwn(around, name)) return `beside ${JSON.stringify(at.split('/').at(-1))}`
  // An object with required properties is data that callers pass back, not a group of options.
  const hasIt = ([, , within]: FieldRule): boolean =>
    Object.hasOwn(within?.rules ?? {}, name) && !within?.required?.length
  const groups = Object.entries(rules).filter(([, rule]) => hasIt(rule))
  if (groups.length === 0) return undefined
  return `in ${oneOfWords(groups.map(([group]) => JSON.stringify(group)))}`
}

/**
 * Validates the options of a function at run time.
 *
 * @param of The function's name, for the message.
 * @param required Options that must be present.
 * @throws CallsheetError `invalid_options`, listing every problem.
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

/** Builds the `invalid_options` error that lists problems of options. */
export function wrongOptions(of: string, problems: readonly Problem[]): CallsheetError {
  const sentence = ended(`The options of ${of} cannot be used: ${listProblems(problems)}`)
  return new CallsheetError('invalid_options', sentence, { problems })
}

/**
 * Validates an argument of a function at run time.
 *
 * @throws CallsheetError `invalid_options`.
 */
export function requireArgument(of: string, given: unknown, rule: FieldRule): void {
  if (holds(rule, given)) return
  throw new CallsheetError('invalid_options', `${of} takes ${rule[1]}, got ${briefly(given)}.`)
}

/** True if a value satisfies a rule. A value that throws when it is read does not. */
export function holds(rule: FieldRule, value: unknown): boolean {
  try {
    return rule[0](value)
  } catch {
    return false
  }
}
