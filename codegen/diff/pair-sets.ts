import type { ContractSet } from './contract.ts'

/** A set on both sides. One side is empty if the set was added or removed. */
export interface SetPair {
  readonly output: string
  readonly before: ContractSet
  readonly after: ContractSet
}

/**
 * Pairs the sets of two sides by their output folders. A published package may keep its set deeper (`dist/generated`), and
 * a set may have moved.
 *
 * @param isGone Whether the project no longer has an output folder. An existing folder that is no set of the project belongs
 * to something else, such as an example or a test.
 */
export function pairSets(
  before: readonly ContractSet[],
  after: readonly ContractSet[],
  isGone: (output: string) => boolean,
): SetPair[] {
  const left = new Set(before)
  const take = (found: ContractSet | undefined): ContractSet | undefined => {
    if (found) left.delete(found)
    return found
  }
  const first = after.map((set) => ({
    set,
    old: take([...left].find(({ output }) => output === set.output)),
  }))
  const second = first.map(({ set, old }) => ({
    set,
    old: old ?? take([...left].find(({ output }) => output.endsWith(`/${set.output}`) || output === '.')),
  }))
  const gone = [...left].filter(({ output }) => isGone(output))
  const unpaired = second.filter(({ old }) => old === undefined)
  const isMove = gone.length === 1 && unpaired.length === 1
  const pairs = second.map(({ set, old }) => ({
    output: set.output,
    before: old ?? (isMove ? (gone[0] as ContractSet) : { output: set.output, tools: [] }),
    after: set,
  }))
  if (isMove) return pairs
  return [
    ...pairs,
    ...gone.map((set) => ({ output: set.output, before: set, after: { output: set.output, tools: [] } })),
  ]
}
