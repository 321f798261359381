import { literalOf, stepOf, stepsOf } from '../../../runtime/check-tree/arguments.ts'
import type { Argument, CheckTree } from '../../../runtime/check-tree/tree.ts'
import type { Tag } from '../../../runtime/checks/tag.ts'
import type { Facts, Kind, PropertyFacts, Union } from './facts.ts'

type CallTree = CheckTree & { readonly op: 'call' }

/** Collects the constraints of a tree. */
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
      // A guarded constraint applies only if the value has the type; it does not require the type.
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

/** Reads a guarded part without changing the known kinds: `when` applies to values of a type, but does not require it. */
function readGuarded(part: CheckTree, facts: Facts): void {
  const kinds = [...facts.kinds]
  read(part, facts)
  const found = [...facts.kinds].filter((kind) => !kinds.includes(kind))
  if (kinds.length > 0) for (const kind of found) facts.kinds.delete(kind)
}

function readCall(tree: CallTree, facts: Facts): void {
  const reader = readers[tree.helper]
  if (reader) reader(facts, tree)
  else facts.conditions.add('The check has constraints that the form does not show.')
}

type ReadCall = (facts: Facts, tree: CallTree) => void

/** Reads each operation of check trees. Constraints that no control shows become conditions. */
const readers: Partial<Record<CallTree['helper'], ReadCall>> = {
  string: ({ kinds }) => kinds.add('text'),
  text({ kinds, text }, { args: [shortest, longest] }) {
    kinds.add('text')
    limit(text, numberOf(shortest), numberOf(longest))
  },
  pattern({ kinds, text }, { args: [pattern] }) {
    kinds.add('text')
    text.patterns.push(String(literalOf(pattern)))
  },
  format({ kinds, text, number }, { args: [format] }) {
    if (!kinds.has('number')) kinds.add('text')
    text.format = String(literalOf(format))
    number.format = text.format
  },

  number: readNumber,
  integer(facts, tree) {
    readNumber(facts, tree)
    facts.number.isInteger = true
  },
  above: readNumberFact('above'),
  below: readNumberFact('below'),
  multiple: readNumberFact('multiple'),

  boolean: ({ kinds }) => kinds.add('flag'),
  nothing: ({ kinds }) => kinds.add('null'),
  never: ({ kinds }) => kinds.add('never'),
  equals(facts, { args: [value] }) {
    facts.values = [literalOf(value)]
  },
  among(facts, { args: [values] }) {
    facts.values = literalOf(values) as readonly unknown[]
  },
  typed({ kinds, number }, { args: [types] }) {
    for (const type of literalOf(types) as readonly string[]) {
      kinds.add(kindsOfTypes[type] ?? 'object')
      if (type === 'integer') number.isInteger = true
    }
  },

  array({ kinds, list }, { args: [item, least, most] }) {
    kinds.add('list')
    limit(list, numberOf(least), numberOf(most))
    list.rest = stepOf(item) ?? list.rest
  },
  tuple({ kinds, list }, { args: [items] }) {
    kinds.add('list')
    list.first = stepsOf(items)
  },
  items({ kinds, list }, { args: [item] }) {
    kinds.add('list')
    list.rest = stepOf(item) ?? list.rest
  },
  unique({ list }) {
    list.isUnique = true
  },
  contains({ kinds, conditions }) {
    kinds.add('list')
    conditions.add('Some of its items have to match a schema.')
  },

  object(facts, { args: [names, fields] }) {
    const { kinds, object } = facts
    kinds.add('object')
    const closed = literalOf(names)
    if (Array.isArray(closed)) object.closed = closed as string[]
    for (const name of object.closed ?? []) propertyOf(facts, name)
    const step = stepOf(fields)
    if (step) read(step, facts)
  },
  required(facts, { args: [names] }) {
    for (const name of namesIn(names)) propertyOf(facts, name).isRequired = true
  },
  closed(facts, { args: [names] }) {
    facts.object.closed = namesIn(names)
    for (const name of facts.object.closed) propertyOf(facts, name)
  },
  without({ object }, { args: [names] }) {
    for (const name of namesIn(names)) object.properties.delete(name)
  },
  others({ object }, { args: [value] }) {
    object.others = stepOf(value) ?? object.others
  },
  matching({ object }, { args: [pattern, value] }) {
    object.matching.push({ pattern: String(literalOf(pattern)), part: stepOf(value) as CheckTree })
  },
  counted({ object }, { args: [least, most] }) {
    limit(object, numberOf(least) || undefined, numberOf(most))
  },
  named({ conditions }) {
    conditions.add('The names of its properties are restricted.')
  },
  dependent({ conditions }, { args: [name] }) {
    conditions.add(`With "${String(literalOf(name))}" it has to have a certain form.`)
  },
  unevaluated({ conditions }) {
    conditions.add('Properties that no alternative declares are refused.')
  },

  anyOf: ({ unions }, tree) => unions.push(unionOf(tree, 'anyOf')),
  oneOf: ({ unions }, tree) => unions.push(unionOf(tree, 'oneOf')),
  not: ({ conditions }) => conditions.add('Some values are excluded.'),
  choose: ({ conditions }) => conditions.add('Some values have further constraints.'),
}

function readNumber({ kinds, number }: Facts, { args: [least, most] }: CallTree): void {
  kinds.add('number')
  limit(number, numberOf(least), numberOf(most))
}

function readNumberFact(fact: 'above' | 'below' | 'multiple'): ReadCall {
  return ({ kinds, number }, { args: [given] }) => {
    kinds.add('number')
    const value = numberOf(given)
    if (value !== undefined) number[fact] = value
  }
}

function unionOf(tree: CallTree, keyword: Union['keyword']): Union {
  const [alternatives, tag] = tree.args
  return { part: tree, keyword, alternatives: stepsOf(alternatives), tag: literalOf(tag) as Tag | undefined }
}

const kindsOfTypes: Readonly<Record<string, Kind>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'flag',
  null: 'null',
  array: 'list',
}

function propertyOf({ object: { properties } }: Facts, name: string): PropertyFacts {
  const known = properties.get(name)
  if (known) return known
  const made: PropertyFacts = { isRequired: false, parts: [] }
  properties.set(name, made)
  return made
}

/** Applies the narrower of two limits. */
function limit(
  limits: { min?: number; max?: number },
  min: number | undefined,
  max: number | undefined,
): void {
  if (min !== undefined) limits.min = Math.max(min, limits.min ?? min)
  if (max !== undefined) limits.max = Math.min(max, limits.max ?? max)
}

function numberOf(arg: Argument | undefined): number | undefined {
  const value = literalOf(arg)
  return typeof value === 'number' ? value : undefined
}

function namesIn(arg: Argument | undefined): readonly string[] {
  return literalOf(arg) as readonly string[]
}
