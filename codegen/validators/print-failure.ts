import { literalOf, stepOf, stepsOf } from '../../runtime/check-tree/arguments.ts'
import { kindsOf } from '../../runtime/check-tree/reached.ts'
import type { Argument, CheckTree, Guard } from '../../runtime/check-tree/tree.ts'
import type { Tag } from '../../runtime/checks/tag.ts'
import { literalSource, stringSource } from './literal.ts'
import { propertySource, verdictName } from './names.ts'
import type { Scope } from './scope.ts'

/** Longer enums are printed as a search in a list, and those beyond the second number as a lookup in a set. */
const comparedValues = 2
const listedValues = 16

/** Longer lists of required properties are checked by the helper that the reasons use. */
const comparedNames = 4

/** True for a tree that cannot be printed as one expression. */
export function takesStatements(tree: CheckTree): boolean {
  switch (tree.op) {
    case 'all':
      return tree.parts.some(takesStatements)
    case 'when':
      return takesStatements(tree.part)
    case 'field':
      return true
    case 'definition':
      return false
    case 'call': {
      const [first, second] = tree.args
      if (tree.helper === 'object') return Boolean(second) || literalOf(first) !== undefined
      const step = stepOf(first)
      if (tree.helper === 'array') return step !== undefined
      if (tree.helper === 'at') return step !== undefined && takesStatements(step)
      if (tree.helper === 'anyOf' || tree.helper === 'oneOf') return literalOf(second) !== undefined
      return tree.helper === 'items' || tree.helper === 'tuple'
    }
  }
}

/**
 * Prints a tree as one expression that is true for an invalid value. `value` is the name of a constant.
 *
 * @param known The type of the value, if it is known.
 * @returns `''` for a tree that accepts everything; undefined for one that needs statements.
 */
export function printFailure(
  tree: CheckTree,
  value: string,
  scope: Scope,
  known?: Guard,
): string | undefined {
  return takesStatements(tree) ? undefined : failureOf(tree, value, scope, known)
}

function failureOf(tree: CheckTree, value: string, scope: Scope, known: Guard | undefined): string {
  switch (tree.op) {
    case 'all':
      return allFailure(tree.parts, value, scope, known)
    case 'when': {
      const part = failureOf(tree.part, value, scope, tree.type)
      if (part === '' || known === tree.type) return part
      return `${guardSource(tree.type, value, scope)} && ${grouped(part)}`
    }
    case 'field':
      throw new TypeError('a property takes statements')
    case 'definition':
      scope.definitions.add(tree.name)
      return `!${verdictName(tree.name)}(${value})`
    case 'call':
      return callFailure(tree, value, scope, known)
  }
}

function allFailure(
  parts: readonly CheckTree[],
  value: string,
  scope: Scope,
  known: Guard | undefined,
): string {
  let proven = known
  return joined(
    ...parts.map((part) => {
      const failure = failureOf(part, value, scope, proven)
      proven ??= provenBy(part)
      return failure !== '' && failure
    }),
  )
}

/** Returns the type of the values that pass a part. */
export function provenBy(part: CheckTree): Guard | undefined {
  if (part.op !== 'call') return undefined
  const kinds = kindsOf(part, new Map())
  const [only] = kinds
  return kinds.length === 1 && only !== 'boolean' && only !== 'null' ? (only as Guard) : undefined
}

function callFailure(
  tree: CheckTree & { op: 'call' },
  value: string,
  scope: Scope,
  known: Guard | undefined,
): string {
  const { helper, args } = tree
  const [first, second, third] = args.map(literalOf)
  switch (helper) {
    case 'string':
      return `typeof ${value} !== 'string'`
    case 'boolean':
      return `typeof ${value} !== 'boolean'`
    case 'nothing':
      return `${value} !== null`
    case 'number':
    case 'integer':
      return joined(
        `!Number.${helper === 'number' ? 'isFinite' : 'isInteger'}(${value})`,
        first !== undefined && `${value} < ${literalSource(first)}`,
        second !== undefined && `${value} > ${literalSource(second)}`,
      )
    case 'above':
      return `${value} <= ${literalSource(first)}`
    case 'below':
      return `${value} >= ${literalSource(first)}`
    case 'text':
      return joined(
        known !== 'string' && `typeof ${value} !== 'string'`,
        ...lengthFailures(value, first, second, scope),
      )
    case 'pattern': {
      const expression = scope.declare(`${scope.helper('regularExpression')}(${stringSource(String(first))})`)
      return joined(known !== 'string' && `typeof ${value} !== 'string'`, `!${expression}.test(${value})`)
    }
    case 'format':
      return `!${scope.declare(`${scope.helper('formatTest')}(${stringSource(String(first))})`)}(${value})`
    case 'typed':
      return (first as Guard[]).map((type) => typeFailure(type, value, scope)).join(' && ')
    case 'equals':
      return typeof first === 'object' && first !== null
        ? helperFailure(tree, value, scope)
        : `${value} !== ${literalSource(first)}`
    case 'among':
      return amongFailure(tree, first as readonly unknown[], value, scope)
    case 'array':
      return joined(`!Array.isArray(${value})`, ...boundFailures(value, second, third))
    case 'object':
      return `!${scope.helper('isObject')}(${value})`
    case 'required': {
      const names = first as readonly string[]
      if (names.length > comparedNames) return helperFailure(tree, value, scope)
      return names.map((name) => `${propertySource(value, name, scope)} === undefined`).join(' || ')
    }
    case 'at': {
      const step = stepOf(args[0])
      return step ? failureOf(step, value, scope, known) : ''
    }
    case 'anyOf':
    case 'oneOf':
      return unionFailure(tree, value, scope)
    default:
      return helperFailure(tree, value, scope)
  }
}

function lengthFailures(value: string, least: unknown, most: unknown, scope: Scope): (string | false)[] {
  const [shortest, longest] = [Number(least ?? 0), most === undefined ? undefined : Number(most)]
  const counted = (...limits: number[]) =>
    `!${scope.helper('text')}(${value}, '', null, ${limits.join(', ')})`
  return [
    shortest === 1 && `${value} === ''`,
    // A text of twice as many UTF-16 units has at least that many characters.
    shortest > 1 && `${value}.length < ${shortest * 2} && ${counted(shortest)}`,
    longest !== undefined && `${value}.length > ${longest} && ${counted(0, longest)}`,
  ]
}

function boundFailures(value: string, least: unknown, most: unknown): (string | false)[] {
  return [
    least !== undefined && least !== 0 && `${value}.length < ${least}`,
    most !== undefined && `${value}.length > ${most}`,
  ]
}

function amongFailure(
  tree: CheckTree & { op: 'call' },
  values: readonly unknown[],
  value: string,
  scope: Scope,
): string {
  if (values.some((each) => typeof each === 'object' && each !== null))
    return helperFailure(tree, value, scope)
  if (values.length <= comparedValues)
    return values.map((each) => `${value} !== ${literalSource(each)}`).join(' && ')
  if (values.length <= listedValues) return `!${scope.literal(values)}.includes(${value})`
  return `!${scope.declare(`new Set<unknown>(${scope.literal(values)})`)}.has(${value})`
}

/** Prints alternatives, each as an expression or a call of its own function. */
function unionFailure(tree: CheckTree & { op: 'call' }, value: string, scope: Scope): string {
  const steps = stepsOf(tree.args[0])
  if (tree.helper === 'oneOf' && !areDisjoint(steps)) return helperFailure(tree, value, scope)
  return steps.map((step) => grouped(shapeFailure(step, value, scope))).join(' && ')
}

/** Prints a shape as one expression: a call of its own function if it needs statements. */
export function shapeFailure(step: CheckTree, value: string, scope: Scope): string {
  const failure = printFailure(step, value, scope)
  return failure === undefined ? `!${scope.verdictFunction(step)}(${value})` : failure || 'false'
}

/** True if at most one shape can accept a value: each value of the tag belongs to one shape, and the others accept no objects. */
export function isPartition(steps: readonly CheckTree[], { values }: Tag): boolean {
  const named = values.flatMap((each) => each ?? [])
  const others = steps.filter((_, index) => !values[index])
  const kinds = others.flatMap((step) => kindsOf(step, new Map()))
  return new Set(named).size === named.length && !kinds.includes('object') && areDisjoint(others)
}

function areDisjoint(steps: readonly CheckTree[]): boolean {
  const kinds = steps.flatMap((step) => kindsOf(step, new Map()))
  return new Set(kinds).size === kinds.length
}

/** Prints a call of the helper that the reasons use, with verdicts as its steps. */
export function helperFailure(
  { helper, args }: CheckTree & { op: 'call' },
  value: string,
  scope: Scope,
): string {
  const sources = args.map((arg) => argumentSource(arg, scope))
  return `!${scope.helper(helper)}(${[value, "''", 'null', ...sources].join(', ')})`
}

function argumentSource(arg: Argument, scope: Scope): string {
  if ('literal' in arg) return scope.literal(arg.literal)
  if ('step' in arg) return scope.verdictFunction(arg.step)
  return scope.declare(`[${arg.list.map((item) => argumentSource(item, scope)).join(', ')}]`, ': any[]')
}

function typeFailure(type: string, value: string, scope: Scope): string {
  if (type === 'integer') return `!Number.isInteger(${value})`
  if (type === 'number') return `!Number.isFinite(${value})`
  if (type === 'null') return `${value} !== null`
  if (type === 'array') return `!Array.isArray(${value})`
  return type === 'object' ? `!${scope.helper('isObject')}(${value})` : `typeof ${value} !== '${type}'`
}

/** Prints the test of a value's type. */
export function guardSource(type: Guard, value: string, scope: Scope): string {
  if (type === 'array') return `Array.isArray(${value})`
  return type === 'object' ? `${scope.helper('isObject')}(${value})` : `typeof ${value} === '${type}'`
}

function joined(...failures: (string | false)[]): string {
  return failures.filter((failure) => failure !== false).join(' || ')
}

/** Adds parentheses to an expression with an `||` or `&&`. */
export function grouped(expression: string): string {
  return /\|\||&&/.test(expression) ? `(${expression})` : expression
}
