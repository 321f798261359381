import type { Call } from 'callsheet'

/** Calls in a graph some twenty levels deep: each writes a number, and reads those of two earlier ones. */
export function dagCalls(count: number): Call[] {
  const width = Math.max(1, Math.ceil(count / 20))
  return Array.from({ length: count }, (_, index) => {
    const level = Math.floor(index / width)
    // Of the level before, and never of its own, so that a level can run side by side.
    const before = (offset: number): string =>
      `†state.n${(level - 1) * width + ((index * 7 + offset * 3) % width)}`
    const read = level === 0 ? { left: index, right: 1 } : { left: before(0), right: before(1) }
    // Every fourth writes, which the engine may not repeat by itself.
    return { _tool: index % 4 === 3 ? 'tally' : 'add', ...read, _outputPath: `†state.n${index}` }
  })
}
