import type { Argument, CheckTree, Guard } from '../../runtime/check-tree/tree.ts'
import { pointerSegment } from '../../runtime/json/json-pointer.ts'
import { stringSource } from './literal.ts'
import { propertySource, reasonsName } from './names.ts'
import type { Scope } from './scope.ts'

/** Prints a tree as the source of a step: the name of a function, or an arrow function. */
export function printStep(tree: CheckTree, scope: Scope, indent: string = ''): string {
  const chain = tree.op === 'all' ? tree.parts : [tree]
  if (chain.length === 0) return scope.helper('anything')
  const [only] = chain
  if (only && chain.length === 1) {
    if (only.op === 'definition') return definition(only.name, scope)
    if (only.op === 'call' && only.args.length === 0) return named(only.helper, scope)
  }
  if (chain.length === 1) return `(v, p, e) => ${printChain(chain, here, scope, indent)}`
  const inner = `${indent}  `
  return `(v, p, e) =>\n${inner}${printChain(chain, here, scope, inner)}`
}

/** Prints a tree as the source of an arrow function, even where the name of a function would do. */
export function printCallingStep(tree: CheckTree, scope: Scope): string {
  return `(v, p, e) => ${printTest(tree, here, scope, '')}`
}

/** The source of a value and of its path. */
interface Place {
  readonly value: string
  readonly path: string
}

/** Inside a step: its own parameters. */
const here: Place = { value: 'v', path: 'p' }

function printChain(chain: readonly CheckTree[], place: Place, scope: Scope, indent: string): string {
  return chain.map((part) => printTest(part, place, scope, indent)).join(` &&\n${indent}`)
}

/** Prints a tree as an expression: true when the value at the place is right so far. */
function printTest(tree: CheckTree, place: Place, scope: Scope, indent: string): string {
  switch (tree.op) {
    case 'all':
      return tree.parts.length === 0
        ? 'true'
        : `${scope.helper('at')}(${place.value}, ${place.path}, e, ${printStep(tree, scope, indent)})`
    case 'call':
      return printCall(tree.helper, tree.args, place, scope, indent)
    case 'definition':
      return `${definition(tree.name, scope)}(${place.value}, ${place.path}, e)`
    case 'when':
      return printGuarded(tree.type, tree.part, place, scope, indent)
    case 'field':
      return printField(tree, place, scope, indent)
  }
}

function printCall(
  name: string,
  args: readonly Argument[],
  place: Place,
  scope: Scope,
  indent: string,
): string {
  const [first] = args
  if (name === 'format' && first && 'literal' in first) scope.formats.add(String(first.literal))
  const sources = args.map((arg) => printArgument(arg, scope, indent))
  return `${named(name, scope)}(${[place.value, place.path, 'e', ...sources].join(', ')})`
}

function printArgument(arg: Argument, scope: Scope, indent: string): string {
  if ('literal' in arg) return scope.literal(arg.literal)
  if ('step' in arg) return printStep(arg.step, scope, indent)
  return `[${arg.list.map((item) => printArgument(item, scope, indent)).join(', ')}]`
}

function printGuarded(type: Guard, part: CheckTree, place: Place, scope: Scope, indent: string): string {
  const { value } = place
  const source =
    part.op === 'all'
      ? `(${printChain(part.parts, place, scope, indent)})`
      : printTest(part, place, scope, indent)
  if (type === 'array') return `(!Array.isArray(${value}) || ${source})`
  if (type === 'object') return `(!${scope.helper('isObject')}(${value}) || ${source})`
  return `(typeof ${value} !== '${type}' || ${source})`
}

function printField(tree: CheckTree & { op: 'field' }, place: Place, scope: Scope, indent: string): string {
  const { name, missing, part } = tree
  const field = {
    value: propertySource(place.value, name, scope),
    path: `${place.path} + ${stringSource(`/${pointerSegment(name)}`)}`,
  }
  const source = printTest(part, field, scope, indent)
  if (missing === 'part') return source
  if (missing === 'pass') return `(${field.value} === undefined || ${source})`
  return `(${field.value} === undefined ? ${scope.helper('present')}(${field.value}, ${field.path}, e) : ${source})`
}

function named(name: string, scope: Scope): string {
  if (name !== 'format') return scope.helper(name)
  scope.formatHelpers.add(name)
  return name
}

function definition(name: string, scope: Scope): string {
  scope.definitions.add(name)
  return reasonsName(name)
}
