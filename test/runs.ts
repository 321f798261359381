const isWhole = process.env.FUZZ_WHOLE === '1'

/** `npm test`, which people wait for, makes a third of the runs of a generator; CI makes two fifths of them, to end in its time. */
const share = isWhole ? 0.4 : 1 / 3

/** How many runs of a generator are made, where all of them are so many. */
export function runs(count: number): number {
  return Math.ceil(count * share)
}

/** How often something has to be seen in the runs that are made, where that is its count in all of them. */
export function often(count: number): number {
  return Math.floor(count * share)
}

/** A third of the cases of a table, spread over it; all of them in CI. */
export function someOf<Case>(cases: readonly Case[]): Case[] {
  if (isWhole) return [...cases]
  return cases.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share))
}
