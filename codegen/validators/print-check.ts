import type { Argument, CheckTree, Guard } from '../../runtime/check-tree/tree.ts'
import { pointerSegment } from '../../runtime/problems/problem.ts'
import { isPlainName, literalSource, stringSource } from './literal.ts'

/** What the printed source calls, and must therefore import. */
export interface Uses {
  /** Functions of the fenced entry. */
  readonly helpers: Set<string>
  /** Formats by name; any makes `format` an import of the entry for formats. */
  readonly formats: Set<string>
  /** Names of shared definitions. */
  readonly definitions: Set<string>
}

/** The identifier under which the step of a shared definition is exported; never that of a helper. */
export function definitionStep(name: string): string {
  if (!isPlainName(name))
    throw new TypeError(`The definition ${JSON.stringify(name)} needs a name that TypeScript can spell.`)
  return `${name}Step`
}

/** Prints a tree as the source of a step: the name of a function, or an arrow function. */
export function printStep(tree: CheckTree, uses: Uses, indent: string = ''): string {
  const chain = tree.op === 'all' ? tree.parts : [tree]
  if (chain.length === 0) return helper('anything', uses)
  const [only] = chain
  if (only && chain.length === 1) {
    if (only.op === 'definition') return definition(only.name, uses)
    if (only.op === 'call' && only.args.length === 0) return named(only.helper, uses)
  }
  if (chain.length === 1) return `(v, p, e) => ${printChain(chain, here, uses, indent)}`
  const inner = `${indent}  `
  return `(v, p, e) =>\n${inner}${printChain(chain, here, uses, inner)}`
}

/** Prints a tree as the source of an arrow function, even where the name of a function would do. */
export function printCallingStep(tree: CheckTree, uses: Uses): string {
  return `(v, p, e) => ${printTest(tree, here, uses, '')}`
}

/** The source of a value and of its path. */
interface Place {
  readonly value: string
  readonly path: string
}

/** Inside a step: its own parameters. */
const here: Place = { value: 'v', path: 'p' }

function printChain(chain: readonly CheckTree[], place: Place, uses: Uses, indent: string): string {
  return chain.map((part) => printTest(part, place, uses, indent)).join(` &&\n${indent}`)
}

/** Prints a tree as an expression: true when the value at the place is right so far. */
function printTest(tree: CheckTree, place: Place, uses: Uses, indent: string): string {
  switch (tree.op) {
    case 'all':
      return tree.parts.length === 0
        ? 'true'
        : `${helper('at', uses)}(${place.value}, ${place.path}, e, ${printStep(tree, uses, indent)})`
    case 'call':
      return printCall(tree.helper, tree.args, place, uses, indent)
    case 'definition':
      return `${definition(tree.name, uses)}(${place.value}, ${place.path}, e)`
    case 'when':
      return printGuarded(tree.type, tree.part, place, uses, indent)
    case 'field':
      return printField(tree, place, uses, indent)
  }
}

function printCall(
  name: string,
  args: readonly Argument[],
  place: Place,
  uses: Uses,
  indent: string,
): string {
  const [first] = args
  if (name === 'format' && first && 'literal' in first) uses.formats.add(String(first.literal))
  const sources = args.map((arg) => printArgument(arg, uses, indent))
  return `${named(name, uses)}(${[place.value, place.path, 'e', ...sources].join(', ')})`
}

function printArgument(arg: Argument, uses: Uses, indent: string): string {
  if ('literal' in arg) return literalSource(arg.literal)
  if ('step' in arg) return printStep(arg.step, uses, indent)
  return `[${arg.list.map((item) => printArgument(item, uses, indent)).join(', ')}]`
}

function printGuarded(type: Guard, part: CheckTree, place: Place, uses: Uses, indent: string): string {
  const { value } = place
  const source =
    part.op === 'all'
      ? `(${printChain(part.parts, place, uses, indent)})`
      : printTest(part, place, uses, indent)
  if (type === 'array') return `(!Array.isArray(${value}) || ${source})`
  if (type === 'object') return `(!${helper('isObject', uses)}(${value}) || ${source})`
  return `(typeof ${value} !== '${type}' || ${source})`
}

function printField(tree: CheckTree & { op: 'field' }, place: Place, uses: Uses, indent: string): string {
  const { name, missing, part } = tree
  const field = {
    value: inherited.has(name)
      ? `${helper('own', uses)}(${place.value}, ${stringSource(name)})`
      : isPlainName(name)
        ? `${place.value}.${name}`
        : `${place.value}[${stringSource(name)}]`,
    path: `${place.path} + ${stringSource(`/${pointerSegment(name)}`)}`,
  }
  const source = printTest(part, field, uses, indent)
  if (missing === 'part') return source
  if (missing === 'pass') return `(${field.value} === undefined || ${source})`
  return `(${field.value} === undefined ? ${helper('present', uses)}(${field.value}, ${field.path}, e) : ${source})`
}

/** Names that every object inherits, and which therefore count only as properties of its own. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

function named(name: string, uses: Uses): string {
  return name === 'format' ? name : helper(name, uses)
}

function helper(name: string, uses: Uses): string {
  uses.helpers.add(name)
  return name
}

function definition(name: string, uses: Uses): string {
  uses.definitions.add(name)
  return definitionStep(name)
}
