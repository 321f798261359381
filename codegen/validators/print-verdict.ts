import { literalOf, stepOf, stepsOf } from '../../runtime/check-tree/arguments.ts'
import { type CheckTree, type Guard, valid } from '../../runtime/check-tree/tree.ts'
import type { Tag } from '../../runtime/checks/tag.ts'
import { literalSource, stringSource } from './literal.ts'
import { propertySource } from './names.ts'
import {
  grouped,
  guardSource,
  helperFailure,
  isPartition,
  printFailure,
  provenBy,
  shapeFailure,
  takesStatements,
} from './print-failure.ts'
import type { Scope } from './scope.ts'

/**
 * Prints a tree as the source of a verdict function: straight-line code that returns false at the first violation. Rare keywords
 * call the helper that the reasons use, with verdicts as its steps.
 */
export function printVerdict(tree: CheckTree, scope: Scope): string {
  const failure = printFailure(tree, 'v', scope)
  if (failure === '') return '() => true'
  if (failure !== undefined) return `(v) => ${negated(failure)}`
  const body = `${joinQuestions(new VerdictPrinter(scope).print(tree, 'v'))}return true`
  return `(v) => {\n${indented(shortenEnd(body))}\n}`
}

/** Turns a final `if (…) return false` and `return true` into one `return`. */
function shortenEnd(body: string): string {
  return body
    .replace(lastQuestion, (_, failure: string) => `return ${negated(failure)}`)
    .replace(lastCount, 'if ($1) return $2')
}

const lastCount = /if \((--\w+ < 0) && !(isClosed\(.*\))\) return false(?=\nreturn true$)/

/** Matches a string in the code. Its content is data, which must not affect the rewriting. */
const quoted = "'(?:[^'\\\\]|\\\\.)*'"

const strings = new RegExp(quoted, 'g')
const stringOrUnequal = new RegExp(`${quoted}| !== `, 'g')

/** Matches a final test that can be returned. */
const lastQuestion = new RegExp(
  `^if \\((!\\w+\\((?:${quoted}|[^()'])*\\)|(?:${quoted}|[^|&()'])+ !== (?:${quoted}|[^|&()'])+)\\) return false\\nreturn true$`,
  'm',
)

/** Longest line that results from joining. */
const longestLine = 140

/** Joins consecutive tests, which is shorter and no slower. */
function joinQuestions(body: string): string {
  const lines: string[] = []
  // The test in the last line, and its indentation.
  let before: string | undefined
  let earlier: string | undefined
  for (const line of body.split('\n')) {
    const [, indent, failure] = /^( *)if \((.*)\) return false$/.exec(line) ?? []
    const both = `${earlier} || ${failure}`
    const joined = `${indent}if (${both}) return false`
    const isNew = failure === undefined || indent !== before || earlier?.startsWith('!(v = ')
    const isJoined = !isNew && joined.length <= longestLine
    if (isJoined) lines[lines.length - 1] = joined
    else lines.push(line)
    before = indent
    earlier = isJoined ? both : failure
  }
  return lines.join('\n')
}

/** Prints the statements of one function. Each value that it reads is a constant with a unique name. */
class VerdictPrinter {
  readonly #scope: Scope
  #names = 0

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** Prints statements that return false for an invalid value; each ends with a line break. */
  print(tree: CheckTree, value: string, known?: Guard): string {
    const failure = printFailure(tree, value, this.#scope, known)
    if (failure !== undefined) return failure === '' ? '' : `if (${failure}) return false\n`
    switch (tree.op) {
      case 'all': {
        let proven = known
        return tree.parts
          .map((part) => {
            const source = this.print(part, value, proven)
            proven ??= provenBy(part)
            return source
          })
          .join('')
      }
      case 'when': {
        const source = this.print(tree.part, value, tree.type)
        return known === tree.type
          ? source
          : `if (${guardSource(tree.type, value, this.#scope)}) {\n${indented(source)}}\n`
      }
      case 'field':
        return this.#field(tree, value)
      case 'call':
        return this.#call(tree, value, known)
      case 'definition':
        // Expressions were printed above.
        return ''
    }
  }

  #call(tree: CheckTree & { op: 'call' }, value: string, known: Guard | undefined): string {
    const [first, second] = tree.args
    switch (tree.helper) {
      case 'object':
        return this.#object(tree, value)
      case 'array': {
        const own = { ...tree, args: [{ literal: undefined }, ...tree.args.slice(1)] }
        return this.print(own, value, known) + this.#items(stepOf(first) ?? valid, value, 0)
      }
      case 'items':
        return this.#items(stepOf(first) ?? valid, value, Number(literalOf(second) ?? 0))
      case 'tuple':
        return stepsOf(first)
          .map((step, index) => {
            const item = this.#name()
            const source = this.print(step, item)
            if (source === '') return ''
            return `if (${value}.length > ${index}) {\n${indented(`const ${item} = ${value}[${index}]\n${source}`)}}\n`
          })
          .join('')
      case 'at':
        return this.print(stepOf(first) ?? valid, value, known)
      default:
        return this.#tagged(tree, value)
    }
  }

  #items(step: CheckTree, value: string, from: number): string {
    const [index, item] = [this.#name(), this.#name()]
    const source = this.print(step, item)
    if (source === '') return ''
    const read = `${value}[${index}]`
    const loop = `for (let ${index} = ${from}; ${index} < ${value}.length; ${index}++)`
    const failure = printFailure(step, item, this.#scope)
    if (failure !== undefined && countReads(item, failure) === 1) {
      return `${loop} if (${printFailure(step, read, this.#scope)}) return false\n`
    }
    return `${loop} {\n${indented(readInto(item, read, source))}}\n`
  }

  /**
   * Prints cheap tests first, whatever their order in the schema, so that a refusal costs little. If no further properties are
   * allowed, the known ones are counted: then the count decides without comparing names.
   */
  #object({ args: [names, fields] }: CheckTree & { op: 'call' }, value: string): string {
    const allowed = literalOf(names) as readonly string[] | null | undefined
    const parts = partsOf(stepOf(fields) ?? valid).toSorted((left, right) => costOf(left) - costOf(right))
    const object = value === 'v' ? value : this.#name()
    const count = allowed ? this.#name() : undefined
    const needed = new Set(parts.flatMap(neededNames))
    const counted = new Set(needed)
    const read = `${object} = ${this.#scope.helper('record')}(${value})`
    const start =
      object === value ? `if (!(${read})) return false\n` : `const ${read}\nif (!${object}) return false\n`
    const body = parts.map((part) => {
      if (part.op !== 'field' || part.missing !== 'pass') return this.print(part, object, 'object')
      counted.add(part.name)
      return this.#field(part, object, count)
    })
    if (!allowed) return start + body.join('')
    const others = allowed
      .filter((name) => !counted.has(name))
      .map((name) => `if (${propertySource(object, name, this.#scope)} !== undefined) ${count}++\n`)
    const known = allowed.filter((name) => needed.has(name)).length
    // A property with the value undefined is not counted; then the list of names decides.
    const listed = `${this.#scope.helper('isClosed')}(${object}, ${this.#scope.literal(allowed)})`
    const end = `for (const _ in ${object}) if (--${count} < 0 && !${listed}) return false\n`
    return `${start}let ${count} = ${known}\n${body.join('')}${others.join('')}${end}`
  }

  /** @param count Code that counts the property if it exists. */
  #field({ name, missing, part }: CheckTree & { op: 'field' }, value: string, count?: string): string {
    const field = this.#name()
    const source = propertySource(value, name, this.#scope)
    const read = `const ${field} = ${source}\n`
    const failure = printFailure(part, field, this.#scope)
    if (failure !== undefined) {
      if (missing === 'pass') {
        const counted = count === undefined ? '' : `++${count} && `
        return `${read}if (${field} !== undefined && ${counted}${grouped(failure)}) return false\n`
      }
      if (missing === 'fail') return `${read}if (${field} === undefined || ${failure}) return false\n`
      return countReads(field, failure) === 1
        ? `if (${printFailure(part, source, this.#scope)}) return false\n`
        : `${read}if (${failure}) return false\n`
    }
    const inner = this.print(part, field)
    if (missing === 'part') return readInto(field, source, inner)
    if (missing === 'fail') return `${read}if (${field} === undefined) return false\n${inner}`
    const counted = count === undefined ? '' : `${count}++\n`
    return `${read}if (${field} !== undefined) {\n${indented(counted + inner)}}\n`
  }

  /** Prints shapes with a tag: a switch if each value of the tag belongs to one shape, otherwise a test for each shape. */
  #tagged(tree: CheckTree & { op: 'call' }, value: string): string {
    const [shapes, tagged] = tree.args
    const { name, values } = literalOf(tagged) as Tag
    const tag = `${this.#scope.helper('tagOf')}(${value}, ${stringSource(name)})`
    const steps = stepsOf(shapes)
    // Two shapes may both accept a value, so matches are counted.
    if (tree.helper === 'oneOf' && !isPartition(steps, { name, values })) {
      return `if (${helperFailure(tree, value, this.#scope)}) return false\n`
    }
    const all = values.flatMap((each) => each ?? [])
    if (!values.includes(null) && new Set(all).size === all.length) {
      const cases = steps.map((step, index) => {
        const labels = (values[index] ?? []).map((each) => `case ${literalSource(each)}:`).join('\n')
        return `${labels} {\n${indented(`${this.print(step, value)}break\n`)}}\n`
      })
      return `switch (${tag}) {\n${indented(`${cases.join('')}default:\n  return false\n`)}}\n`
    }
    const found = this.#name()
    const failures = steps.map((step, index) => {
      const other = values[index]?.map((each) => `${found} !== ${literalSource(each)}`).join(' && ')
      const failure = shapeFailure(step, value, this.#scope)
      return `(${other === undefined ? '' : `${other} || `}${failure})`
    })
    return `const ${found} = ${tag}\nif (${failures.join(' && ')}) return false\n`
  }

  #name(): string {
    const letters = 'abcdefghijklmnopqrstuwxyz'
    const index = this.#names
    this.#names += 1
    const round = Math.floor(index / letters.length)
    return letters.charAt(index % letters.length) + (round === 0 ? '' : round)
  }
}

/** Reads a value into a constant, or in place if it is only turned into a record and not used again. */
function readInto(name: string, source: string, statements: string): string {
  return countReads(name, statements) === 1 && /^const \w+ = record\(\w+\)$/m.exec(statements)?.index === 0
    ? statements.replace(`record(${name})`, () => `record(${source})`)
    : `const ${name} = ${source}\n${statements}`
}

function countReads(name: string, source: string): number {
  return source.replace(strings, '').split(new RegExp(`\\b${name}\\b`)).length - 1
}

function partsOf(tree: CheckTree): readonly CheckTree[] {
  return tree.op === 'all' ? tree.parts : [tree]
}

/** Rates the cost of a part: a test of the value itself; a pass over its text; a descent into it, or a function call. */
function costOf(part: CheckTree): number {
  if (part.op === 'field' || part.op === 'when') return costOf(part.part)
  if (part.op === 'all') return Math.max(0, ...part.parts.map(costOf))
  if (takesStatements(part) || part.op === 'definition') return 2
  return part.helper === 'format' || part.helper === 'pattern' ? 1 : quick.has(part.helper) ? 0 : 2
}

const quick: ReadonlySet<string> = new Set(
  'above among array below boolean equals integer nothing number object required string text typed'.split(
    ' ',
  ),
)

/** Lists the properties that exist for certain after a part has passed. */
function neededNames(part: CheckTree): readonly string[] {
  if (part.op === 'field') return part.missing === 'pass' ? [] : [part.name]
  return part.op === 'call' && part.helper === 'required' ? (literalOf(part.args[0]) as string[]) : []
}

function indented(lines: string): string {
  return lines.replace(/^(?=.)/gm, '  ')
}

/** Negates an expression. */
function negated(failure: string): string {
  const code = failure.replace(strings, '')
  if (/\|\||&&/.test(code)) return `!(${failure})`
  if (failure.startsWith('!')) return failure.slice(1)
  return failure.replace(stringOrUnequal, (found) => (found === ' !== ' ? ' === ' : found))
}
