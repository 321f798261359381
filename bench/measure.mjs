// How every suite measures. On a shared machine a wall time says little, so what is compared takes turns in one process,
// after everything was warmed by time (a count is not enough: V8 needs thousands of calls for each of a hundred
// generated functions), and what is reported is the ratio of turns that stood beside each other.

/** Milliseconds of this thread's own work where Node can tell (24 and later), else of the clock on the wall. */
export const threadClock = process.threadCpuUsage
  ? { name: 'CPU time of the main thread', now: () => cpuMilliseconds(process.threadCpuUsage()) }
  : { name: 'wall time', now: () => performance.now() }

function cpuMilliseconds({ user, system }) {
  return (user + system) / 1000
}

/**
 * Measures contestants against a floor, in turns.
 *
 * @param floor Name of the contestant that the others are compared with.
 * @param contestants By name: a function that does one pass, and may be asynchronous.
 * @param perPass Operations in one pass.
 * @param warmUp Milliseconds for each contestant before anything counts.
 * @param turn Milliseconds of one turn; the thread clock ticks in about 4 ms.
 * @returns By name: `nanoseconds` per operation and `ratio` to the floor, each `{ median, low, high }` over the rounds.
 */
export async function inTurns({ floor, contestants, perPass, warmUp = 2000, turn = 300, rounds = 11 }) {
  const entries = Object.entries(contestants)
  for (const [, pass] of entries) await oneTurn(pass, warmUp)
  const times = new Map(entries.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, pass] of entries) times.get(name).push(((await oneTurn(pass, turn)) * 1e6) / perPass)
  }
  const base = times.get(floor)
  const results = entries.map(([name]) => {
    const list = times.get(name)
    return [name, { nanoseconds: spread(list), ratio: spread(list.map((each, round) => each / base[round])) }]
  })
  return Object.fromEntries(results)
}

/** Milliseconds of one pass, averaged over as many as fit the turn. */
async function oneTurn(pass, turn) {
  const start = threadClock.now()
  let passes = 0
  let spent = 0
  do {
    await pass()
    passes++
    spent = threadClock.now() - start
  } while (spent < turn)
  return spent / passes
}

/** The middle of a list of numbers and how far it reaches. */
export function spread(list) {
  const sorted = list.toSorted((left, right) => left - right)
  return { median: sorted[Math.floor(sorted.length / 2)], low: sorted[0], high: sorted.at(-1) }
}
