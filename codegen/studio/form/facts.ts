import type { Argument, CheckTree } from '../../../runtime/check-tree/tree.ts'
import type { Tag } from '../../../runtime/checks/tag.ts'

/** What a check tree asks at one place, sorted by what it is about. */
export interface Facts {
  readonly kinds: Set<Kind>
  readonly text: { min?: number; max?: number; patterns: string[]; format?: string }
  readonly number: {
    isInteger: boolean
    min?: number
    max?: number
    above?: number
    below?: number
    multiple?: number
    format?: string
  }
  readonly list: {
    first: readonly CheckTree[]
    rest?: CheckTree
    min?: number
    max?: number
    isUnique: boolean
  }
  readonly object: {
    /** Undefined while properties of other names may be there. */
    closed?: readonly string[]
    readonly properties: Map<string, { isRequired: boolean; readonly parts: CheckTree[] }>
    others?: CheckTree
    readonly matching: { readonly pattern: string; readonly part: CheckTree }[]
    min?: number
    max?: number
  }
  values?: readonly unknown[]
  readonly unions: Union[]
  readonly definitions: string[]
  readonly conditions: Set<string>
}

export type Kind = 'text' | 'number' | 'flag' | 'null' | 'list' | 'object' | 'never'

export interface Union {
  readonly part: CheckTree
  readonly keyword: 'anyOf' | 'oneOf'
  readonly alternatives: readonly CheckTree[]
  readonly tag: Tag | undefined
}

/** Reads what a tree asks. Every operation of check trees has its line here; what no control shows becomes a condition. */
export function factsOf(tree: CheckTree): Facts {
  const facts: Facts = {
    kinds: new Set(),
    text: { patterns: [] },
    number: { isInteger: false },
    list: { first: [], isUnique: false },
    object: { properties: new Map(), matching: [] },
    unions: [],
    definitions: [],
    conditions: new Set(),
  }
  read(tree, facts)
  return facts
}

function read(tree: CheckTree, facts: Facts): void {
  switch (tree.op) {
    case 'all':
      for (const part of tree.parts) read(part, facts)
      return
    case 'when':
      // What guards a type says nothing of whether the value has it: only what stands beside does.
      readGuarded(tree.part, facts)
      return
    case 'field': {
      const property = propertyOf(facts, tree.name)
      if (tree.missing !== 'pass') property.isRequired = true
      property.parts.push(tree.part)
      return
    }
    case 'definition':
      facts.definitions.push(tree.name)
      return
    case 'call':
      readCall(tree, facts)
  }
}

/** The kinds that were known before stay: `when` applies to values of a type, and does not demand it. */
function readGuarded(part: CheckTree, facts: Facts): void {
  const kinds = [...facts.kinds]
  read(part, facts)
  const found = [...facts.kinds].filter((kind) => !kinds.includes(kind))
  if (kinds.length > 0) for (const kind of found) facts.kinds.delete(kind)
}

function readCall(tree: CheckTree & { op: 'call' }, facts: Facts): void {
  const [first, second, third] = tree.args
  const { text, number, list, object, kinds, conditions } = facts
  switch (tree.helper) {
    case 'string':
      kinds.add('text')
      return
    case 'text':
      kinds.add('text')
      limit(text, numberIn(first), numberIn(second))
      return
    case 'pattern':
      kinds.add('text')
      text.patterns.push(String(literalIn(first)))
      return
    case 'format':
      if (!kinds.has('number')) kinds.add('text')
      text.format = String(literalIn(first))
      number.format = text.format
      return
    case 'integer':
    case 'number':
      kinds.add('number')
      if (tree.helper === 'integer') number.isInteger = true
      limit(number, numberIn(first), numberIn(second))
      return
    case 'above':
    case 'below':
    case 'multiple': {
      kinds.add('number')
      const given = numberIn(first)
      if (given !== undefined) number[tree.helper] = given
      return
    }
    case 'boolean':
      kinds.add('flag')
      return
    case 'nothing':
      kinds.add('null')
      return
    case 'never':
      kinds.add('never')
      return
    case 'equals':
      facts.values = [literalIn(first)]
      return
    case 'among':
      facts.values = literalIn(first) as readonly unknown[]
      return
    case 'typed':
      for (const type of literalIn(first) as readonly string[]) {
        kinds.add(kindOf(type))
        if (type === 'integer') number.isInteger = true
      }
      return
    case 'array':
      kinds.add('list')
      limit(list, numberIn(second), numberIn(third))
      if (stepIn(first)) list.rest = stepIn(first) as CheckTree
      return
    case 'tuple':
      kinds.add('list')
      list.first = listIn(first)
      return
    case 'items':
      kinds.add('list')
      if (stepIn(first)) list.rest = stepIn(first) as CheckTree
      return
    case 'unique':
      list.isUnique = true
      return
    case 'contains':
      kinds.add('list')
      conditions.add('Some of its items have to be of a certain form.')
      return
    case 'object': {
      kinds.add('object')
      const names = literalIn(first)
      if (Array.isArray(names)) object.closed = names as string[]
      for (const name of object.closed ?? []) propertyOf(facts, name)
      if (stepIn(second)) read(stepIn(second) as CheckTree, facts)
      return
    }
    case 'required':
      for (const name of literalIn(first) as readonly string[]) propertyOf(facts, name).isRequired = true
      return
    case 'others':
      if (stepIn(first)) object.others = stepIn(first) as CheckTree
      return
    case 'matching':
      object.matching.push({ pattern: String(literalIn(first)), part: stepIn(second) as CheckTree })
      return
    case 'closed':
      object.closed = literalIn(first) as string[]
      for (const name of object.closed) propertyOf(facts, name)
      return
    case 'counted':
      limit(object, numberIn(first) || undefined, numberIn(second))
      return
    case 'anyOf':
    case 'oneOf':
      facts.unions.push({
        part: tree,
        keyword: tree.helper,
        alternatives: listIn(first),
        tag: literalIn(second) as Tag | undefined,
      })
      return
    case 'named':
      conditions.add('The names of its properties follow a rule of their own.')
      return
    case 'without':
      for (const name of literalIn(first) as readonly string[]) object.properties.delete(name)
      return
    case 'dependent':
      conditions.add(`With "${String(literalIn(first))}" it has to have a certain form.`)
      return
    case 'not':
      conditions.add('Some values are excluded.')
      return
    case 'choose':
      conditions.add('Some values ask for more than others.')
      return
    case 'unevaluated':
      conditions.add('Properties that no alternative knows are refused.')
      return
    default:
      conditions.add('The check asks for more than the form shows.')
  }
}

function kindOf(type: string): Kind {
  switch (type) {
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'flag'
    case 'null':
      return 'null'
    case 'array':
      return 'list'
    default:
      return 'object'
  }
}

function propertyOf(facts: Facts, name: string): { isRequired: boolean; readonly parts: CheckTree[] } {
  const { properties } = facts.object
  const known = properties.get(name)
  if (known) return known
  const made = { isRequired: false, parts: [] }
  properties.set(name, made)
  return made
}

/** Of two limits the narrower one holds. */
function limit(
  limits: { min?: number; max?: number },
  min: number | undefined,
  max: number | undefined,
): void {
  if (min !== undefined) limits.min = Math.max(min, limits.min ?? min)
  if (max !== undefined) limits.max = Math.min(max, limits.max ?? max)
}

function literalIn(argument: Argument | undefined): unknown {
  return argument && 'literal' in argument ? argument.literal : undefined
}

function numberIn(argument: Argument | undefined): number | undefined {
  const value = literalIn(argument)
  return typeof value === 'number' ? value : undefined
}

function stepIn(argument: Argument | undefined): CheckTree | undefined {
  return argument && 'step' in argument ? argument.step : undefined
}

function listIn(argument: Argument | undefined): CheckTree[] {
  return argument && 'list' in argument
    ? argument.list.flatMap((item) => ('step' in item ? [item.step] : []))
    : []
}
