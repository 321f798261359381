/**
 * A set of places of a plan, none of them undefined. It never changes, and sets share what they have in common: adding
 * a place to ten thousand makes a dozen small objects, and joining two sets costs what they differ in. A trie over the
 * bits of the places, a leaf being the place itself (Okasaki and Gill's big-endian Patricia tree): the same places give
 * the same shape, in whatever order they came.
 */
export type PlaceSet = undefined | number | Branch

interface Branch {
  /** The bits that all of its places have in common; those from `bit` on are 0. */
  readonly prefix: number
  /** The highest bit in which they differ. */
  readonly bit: number
  readonly low: PlaceSet
  readonly high: PlaceSet
}

/** The places that are in either. */
export function union(left: PlaceSet, right: PlaceSet): PlaceSet {
  if (left === right || right === undefined) return left
  if (left === undefined) return right
  if (bitOf(left) < bitOf(right)) return union(right, left)
  const prefix = prefixOf(right)
  if (!covers(left, prefix)) return joined(left, right)
  // A leaf covers nothing but itself.
  const { bit, low, high } = left as Branch
  if (bit === bitOf(right)) {
    const other = right as Branch
    return rebuilt(left as Branch, union(low, other.low), union(high, other.high))
  }
  return prefix & bit
    ? rebuilt(left as Branch, low, union(high, right))
    : rebuilt(left as Branch, union(low, right), high)
}

/** The places that are in both, highest first; what only one of them has is not walked through. */
export function* common(left: PlaceSet, right: PlaceSet): Generator<number, void> {
  if (left === undefined || right === undefined) return
  if (bitOf(left) < bitOf(right)) return yield* common(right, left)
  const prefix = prefixOf(right)
  if (!covers(left, prefix)) return
  if (typeof left === 'number') return yield left
  if (left.bit === bitOf(right)) {
    yield* common(left.high, (right as Branch).high)
    yield* common(left.low, (right as Branch).low)
  } else yield* common(prefix & left.bit ? left.high : left.low, right)
}

/** Whether the place is in the set. */
export function has(set: PlaceSet, place: number): boolean {
  let node = set
  while (typeof node === 'object') node = place & node.bit ? node.high : node.low
  return node === place
}

/** Whether a place is in both. */
export function meets(left: PlaceSet, right: PlaceSet): boolean {
  if (left === undefined || right === undefined) return false
  if (left === right) return true
  if (bitOf(left) < bitOf(right)) return meets(right, left)
  const prefix = prefixOf(right)
  if (!covers(left, prefix)) return false
  const { bit, low, high } = left as Branch
  if (bit !== bitOf(right)) return meets(prefix & bit ? high : low, right)
  return meets(high, (right as Branch).high) || meets(low, (right as Branch).low)
}

/** All places, lowest first. */
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

/** 0 for a leaf, so that of two sets that overlap the wider one has the higher bit. */
function bitOf(set: number | Branch): number {
  return typeof set === 'number' ? 0 : set.bit
}

/** Whether the place, or the set of that prefix and no higher bit, lies within what the set can hold. */
function covers(set: number | Branch, prefix: number): boolean {
  const difference = prefixOf(set) ^ prefix
  return typeof set === 'number' ? difference === 0 : difference < set.bit * 2
}

function joined(left: number | Branch, right: number | Branch): Branch {
  const bit = 2 ** (31 - Math.clz32(prefixOf(left) ^ prefixOf(right)))
  const prefix = prefixOf(left) & ~(bit * 2 - 1)
  return prefixOf(left) & bit
    ? { prefix, bit, low: right, high: left }
    : { prefix, bit, low: left, high: right }
}

/** The branch itself where nothing of it is new: so sets go on being shared. */
function rebuilt(branch: Branch, low: PlaceSet, high: PlaceSet): Branch {
  return low === branch.low && high === branch.high ? branch : { ...branch, low, high }
}
