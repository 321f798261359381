import type { Tag } from '../checks/tag.ts'
import { literalOf } from './arguments.ts'
import type { Argument, CheckTree } from './tree.ts'

/**
 * Finds the definitions that one value can meet several times in one check: by two parts of a definition that both look at
 * it. Where definitions refer to each other, such meetings multiply: a union of four shapes that all have a `left` of the
 * same union would look at a value 4 ** depth times. Checks remember what these definitions answered.
 *
 * Parts that no value can meet both are told apart: other properties, other types, other values of a tag. Splits in a
 * schema that is not a definition are met once, so they cannot multiply.
 */
export function revisitedDefinitions(trees: ReadonlyMap<string, CheckTree>): Set<string> {
  const reached = reachedDefinitions(trees)
  const revisited = new Set<string>()
  /** The definitions that a tree reaches. On the way, marks those that two of its parts reach for one value. */
  const visit = (tree: CheckTree): ReadonlySet<string> => {
    if (tree.op === 'definition') return reached.get(tree.name) ?? new Set()
    const found = new Map<string, Set<string>>()
    const all = new Set<string>()
    for (const { part, places } of partsOf(tree, trees)) {
      const names = visit(part)
      for (const name of names) {
        if (all.has(name) && places.some((place) => meets(found, place, name))) revisited.add(name)
      }
      for (const name of names) {
        all.add(name)
        for (const place of places) found.set(place, (found.get(place) ?? new Set()).add(name))
      }
    }
    return all
  }
  for (const tree of trees.values()) visit(tree)
  return revisited
}

/** True when a part of the same place, or of one around or inside it, has reached the definition. */
function meets(found: ReadonlyMap<string, ReadonlySet<string>>, place: string, name: string): boolean {
  const [kind = ''] = place.split('/', 1)
  if (place !== kind) return Boolean(found.get(place)?.has(name) || found.get(kind)?.has(name))
  for (const [other, names] of found) {
    if ((other === kind || other.startsWith(`${kind}/`)) && names.has(name)) return true
  }
  return false
}

function reachedDefinitions(trees: ReadonlyMap<string, CheckTree>): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map([...trees].map(([name, tree]) => [name, [...referredIn(tree)]] as const))
  return new Map(
    [...direct.keys()].map((start) => {
      const seen = new Set([start])
      for (const name of seen) for (const next of direct.get(name) ?? []) seen.add(next)
      return [start, seen] as const
    }),
  )
}

/** The names of the definitions that a tree itself refers to. */
export function referredIn(tree: CheckTree, found: Set<string> = new Set()): Set<string> {
  if (tree.op === 'definition') found.add(tree.name)
  for (const part of childrenOf(tree)) referredIn(part, found)
  return found
}

function childrenOf(tree: CheckTree): readonly CheckTree[] {
  switch (tree.op) {
    case 'all':
      return tree.parts
    case 'when':
    case 'field':
      return [tree.part]
    case 'call':
      return tree.args.flatMap(stepsIn)
    case 'definition':
      return []
  }
}

function stepsIn(arg: Argument): CheckTree[] {
  return 'step' in arg ? [arg.step] : 'list' in arg ? arg.list.flatMap(stepsIn) : []
}

/** A part of a tree, and where it looks: at values of a type, or (`object/name`) at one of them among others. */
interface Part {
  readonly part: CheckTree
  readonly places: readonly string[]
}

const everywhere: readonly string[] = ['string', 'number', 'boolean', 'null', 'array', 'object']

function partsOf(tree: CheckTree, trees: ReadonlyMap<string, CheckTree>): Part[] {
  if (tree.op !== 'call') {
    return childrenOf(tree).map((part) => ({ part, places: placesOf(part) }))
  }
  if (tree.helper === 'tuple')
    return childrenOf(tree).map((part, index) => ({ part, places: [`array/${index}`] }))
  if (tree.helper === 'anyOf' || tree.helper === 'oneOf') {
    const tag = literalOf(tree.args[1]) as Tag | undefined
    return childrenOf(tree).map((part, index) => ({
      part,
      places: kindsOf(part, trees).flatMap((kind) => {
        const values = kind === 'object' ? tag?.values[index] : undefined
        return values ? values.map((value) => `object/${typeof value} ${value}`) : [kind]
      }),
    }))
  }
  return childrenOf(tree).map((part) => ({ part, places: everywhere }))
}

/** Where a part of a sequence looks. */
function placesOf(part: CheckTree): readonly string[] {
  if (part.op === 'field') return [`object/${part.name}`]
  if (part.op === 'when') return [part.type]
  return part.op === 'call' ? (helperKinds[part.helper] ?? everywhere) : everywhere
}

/** The types of values that a tree does not refuse at once. */
export function kindsOf(
  tree: CheckTree,
  trees: ReadonlyMap<string, CheckTree>,
  seen: ReadonlySet<string> = new Set(),
): readonly string[] {
  if (tree.op === 'call') return helperKinds[tree.helper] ?? everywhere
  if (tree.op === 'definition') {
    const target = trees.get(tree.name)
    return target && !seen.has(tree.name) ? kindsOf(target, trees, new Set([...seen, tree.name])) : everywhere
  }
  if (tree.op !== 'all') return everywhere
  return tree.parts.reduce<readonly string[]>((kinds, part) => {
    const these = kindsOf(part, trees, seen)
    return kinds.filter((kind) => these.includes(kind))
  }, everywhere)
}

/** Helpers that refuse every value of another type, as a part that comes first does. */
const helperKinds: Readonly<Record<string, readonly string[]>> = {
  string: ['string'],
  text: ['string'],
  pattern: ['string'],
  number: ['number'],
  integer: ['number'],
  boolean: ['boolean'],
  nothing: ['null'],
  array: ['array'],
  object: ['object'],
}
