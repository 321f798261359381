/**
 * An immutable set of places (indexes of Calls in a plan); undefined is the empty set. Sets share common parts: adding
 * a place to ten thousand creates a dozen small objects, and a union costs as much as the sets differ. Implemented as a
 * big-endian Patricia tree (Okasaki and Gill): a trie over the bits of the places, where a leaf is the place itself.
 * The same places always give the same tree, whatever the order in which they were added.
 */
export type PlaceSet = undefined | number | Branch

interface Branch {
  /** The high bits that all of its places have in common; `bit` and the bits below it are 0. */
  readonly prefix: number
  /** The highest bit in which its places differ, as a power of two. */
  readonly bit: number
  /** The places without that bit. */
  readonly low: PlaceSet
  /** The places with it. */
  readonly high: PlaceSet
}

/** Returns the places that are in either set. */
export function union(left: PlaceSet, right: PlaceSet): PlaceSet {
  if (left === right || right === undefined) return left
  if (left === undefined) return right
  if (bitOf(left) < bitOf(right)) return union(right, left)
  const prefix = prefixOf(right)
  if (!covers(left, prefix)) return join(left, right)
  // `left` is a branch: a leaf that covers `right` would be equal to it.
  const { bit, low, high } = left as Branch
  if (bit === bitOf(right)) {
    const other = right as Branch
    return withChildren(left as Branch, union(low, other.low), union(high, other.high))
  }
  return prefix & bit
    ? withChildren(left as Branch, low, union(high, right))
    : withChildren(left as Branch, union(low, right), high)
}

/** Yields the places that are in both sets, highest first. Skips subtrees that only one of them has. */
export function* intersection(left: PlaceSet, right: PlaceSet): Generator<number, void> {
  if (left === undefined || right === undefined) return
  if (bitOf(left) < bitOf(right)) return yield* intersection(right, left)
  const prefix = prefixOf(right)
  if (!covers(left, prefix)) return
  if (typeof left === 'number') return yield left
  if (left.bit === bitOf(right)) {
    yield* intersection(left.high, (right as Branch).high)
    yield* intersection(left.low, (right as Branch).low)
  } else yield* intersection(prefix & left.bit ? left.high : left.low, right)
}

/** Returns true if the place is in the set. */
export function has(set: PlaceSet, place: number): boolean {
  let node = set
  while (typeof node === 'object') node = place & node.bit ? node.high : node.low
  return node === place
}

/** Returns true if the sets have a place in common. */
export function intersects(left: PlaceSet, right: PlaceSet): boolean {
  if (left === undefined || right === undefined) return false
  if (left === right) return true
  if (bitOf(left) < bitOf(right)) return intersects(right, left)
  const prefix = prefixOf(right)
  if (!covers(left, prefix)) return false
  const { bit, low, high } = left as Branch
  if (bit !== bitOf(right)) return intersects(prefix & bit ? high : low, right)
  return intersects(high, (right as Branch).high) || intersects(low, (right as Branch).low)
}

/** Lists the places of a set, lowest first. */
export function placesOf(set: PlaceSet, found: number[] = []): readonly number[] {
  if (typeof set === 'number') found.push(set)
  else if (set) {
    placesOf(set.low, found)
    placesOf(set.high, found)
  }
  return found
}

function prefixOf(set: number | Branch): number {
  return typeof set === 'number' ? set : set.prefix
}

/**
 * Returns the branching bit, 0 for a leaf: of two sets where one covers the other, the covering one has the higher bit.
 */
function bitOf(set: number | Branch): number {
  return typeof set === 'number' ? 0 : set.bit
}

/** Returns true if places with this prefix belong inside the set's tree: their bits above `bit` are the same. */
function covers(set: number | Branch, prefix: number): boolean {
  const difference = prefixOf(set) ^ prefix
  return typeof set === 'number' ? difference === 0 : difference < set.bit * 2
}

/** Creates the branch above two sets whose prefixes differ. */
function join(left: number | Branch, right: number | Branch): Branch {
  const bit = 2 ** (31 - Math.clz32(prefixOf(left) ^ prefixOf(right)))
  const prefix = prefixOf(left) & ~(bit * 2 - 1)
  return prefixOf(left) & bit
    ? { prefix, bit, low: right, high: left }
    : { prefix, bit, low: left, high: right }
}

/** Returns the branch with other children; the same branch if nothing changed, so that sets keep sharing it. */
function withChildren(branch: Branch, low: PlaceSet, high: PlaceSet): Branch {
  return low === branch.low && high === branch.high ? branch : { ...branch, low, high }
}
