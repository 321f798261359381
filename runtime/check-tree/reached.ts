import type { Tag } from '../checks/tag.ts'
import { circlesOf } from '../schema/circles.ts'
import { literalOf } from './arguments.ts'
import type { Argument, CheckTree } from './tree.ts'

/**
 * Finds the definitions that one check can apply to the same value several times, through two parts of a definition that both
 * look at it. With recursive definitions this multiplies: a union of four shapes that all have a `left` of the same union would
 * look at a value 4 ** depth times. Checks therefore memoise the verdicts of these definitions.
 *
 * Parts that can never apply to the same value are distinguished: different properties, types, or values of a tag. A split in a
 * schema that is not a definition happens only once, so it cannot multiply.
 */
export function revisitedDefinitions(trees: ReadonlyMap<string, CheckTree>): Set<string> {
  const direct = new Map([...trees].map(([name, tree]) => [name, referredIn(tree)] as const))
  const suspects = connectedWith(multiplyReferred(trees, direct), direct)
  const revisited = new Set<string>()
  // Everything that a revisited definition reaches is revisited as well, so no search has to descend into it again.
  const isOpen = (name: string): boolean => suspects.has(name) && !revisited.has(name)
  const visit = (tree: CheckTree): void => {
    if (tree.op === 'definition') return
    const found = new Map<string, Set<string>>()
    for (const { part, places } of meetingParts(partsOf(tree, trees), isOpen)) {
      const names = reachedFrom(referredIn(part), direct, isOpen)
      for (const name of names) if (places.some((place) => meets(found, place, name))) revisited.add(name)
      for (const place of places) {
        const here = found.get(place) ?? new Set()
        for (const name of names) here.add(name)
        found.set(place, here)
      }
    }
    for (const part of childrenOf(tree)) visit(part)
  }
  for (const tree of trees.values()) visit(tree)
  return revisited
}

/** Returns the parts with references that can overlap with another such part: at the same place, or one around or inside it. */
function meetingParts(parts: readonly Part[], isOpen: (name: string) => boolean): Part[] {
  const referring = parts.filter(({ part }) => [...referredIn(part)].some(isOpen))
  if (referring.length < 2) return []
  const [atPlace, ofKind] = [new Map<string, number>(), new Map<string, number>()]
  for (const { places } of referring) {
    for (const place of new Set(places)) atPlace.set(place, (atPlace.get(place) ?? 0) + 1)
    for (const kind of new Set(places.map(kindOf))) ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1)
  }
  const count = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0
  return referring.filter(({ places }) =>
    places.some((place) => {
      const kind = kindOf(place)
      if (place === kind) return count(ofKind, kind) > 1
      return count(atPlace, place) > 1 || count(atPlace, kind) > 0
    }),
  )
}

function kindOf(place: string): string {
  return place.split('/', 1)[0] ?? ''
}

/** Returns the definitions that can cause revisits: those on a cycle, and those referenced more than once. */
function multiplyReferred(
  trees: ReadonlyMap<string, CheckTree>,
  direct: ReadonlyMap<string, ReadonlySet<string>>,
): Set<string> {
  const found = new Set(circlesOf(direct).keys())
  const seen = new Set<string>()
  const count = (tree: CheckTree): void => {
    if (tree.op === 'definition') {
      if (seen.has(tree.name)) found.add(tree.name)
      seen.add(tree.name)
    }
    for (const part of childrenOf(tree)) count(part)
  }
  for (const tree of trees.values()) count(tree)
  return found
}

/** Returns definitions together with all that reach them and all that they reach. */
function connectedWith(
  names: ReadonlySet<string>,
  direct: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const users = new Map<string, string[]>()
  for (const [user, used] of direct) {
    for (const name of used) {
      const known = users.get(name)
      if (known) known.push(user)
      else users.set(name, [user])
    }
  }
  const all = (): boolean => true
  return new Set([...reachedFrom(names, users, all), ...reachedFrom(names, direct, all)])
}

/** Returns definitions and all that they reach, limited to the wanted ones. */
function reachedFrom(
  names: Iterable<string>,
  direct: ReadonlyMap<string, Iterable<string>>,
  isWanted: (name: string) => boolean,
): Set<string> {
  const reached = new Set<string>()
  for (const name of names) if (isWanted(name)) reached.add(name)
  // Iterating a Set also visits items that are added meanwhile.
  for (const name of reached) for (const next of direct.get(name) ?? []) if (isWanted(next)) reached.add(next)
  return reached
}

/** True if a part at the same place, or one around or inside it, has reached the definition. */
function meets(found: ReadonlyMap<string, ReadonlySet<string>>, place: string, name: string): boolean {
  const kind = kindOf(place)
  if (place !== kind) return Boolean(found.get(place)?.has(name) || found.get(kind)?.has(name))
  for (const [other, names] of found) {
    if ((other === kind || other.startsWith(`${kind}/`)) && names.has(name)) return true
  }
  return false
}

/** Returns the names of the definitions that a tree references directly. */
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

/** A part of a tree, and the values it looks at: those of a type, or (`object/name`) one of their parts. */
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

/** Returns where a part of a sequence looks. */
function placesOf(part: CheckTree): readonly string[] {
  if (part.op === 'field') return [`object/${part.name}`]
  if (part.op === 'when') return [part.type]
  return part.op === 'call' ? (helperKinds[part.helper] ?? everywhere) : everywhere
}

/** Returns the types of values that a tree does not refuse at once. @param seen The definitions on the path to it. */
export function kindsOf(
  tree: CheckTree,
  trees: ReadonlyMap<string, CheckTree>,
  seen: Set<string> = new Set(),
): readonly string[] {
  if (tree.op === 'call') return helperKinds[tree.helper] ?? everywhere
  if (tree.op === 'definition') {
    const target = trees.get(tree.name)
    if (!target || seen.has(tree.name)) return everywhere
    seen.add(tree.name)
    const kinds = kindsOf(target, trees, seen)
    seen.delete(tree.name)
    return kinds
  }
  if (tree.op !== 'all') return everywhere
  return tree.parts.reduce<readonly string[]>((kinds, part) => {
    const these = kindsOf(part, trees, seen)
    return kinds.filter((kind) => these.includes(kind))
  }, everywhere)
}

/** Helpers that, as a first part, refuse every value of another type. */
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
