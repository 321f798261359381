import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { runs } from '../runs.ts'

/**
 * How long each property is tried, in seconds. Without it (in `npm test`) a fixed number of runs from a fixed seed, so
 * that what is held for a change depends on the change alone; with it, from a seed of the day.
 */
const seconds = Number(process.env.FUZZ_SECONDS ?? 0)
const seed = Number(process.env.FUZZ_SEED ?? (seconds > 0 ? Date.now() % 2 ** 31 : 20261121))

/** Tries a property: so many times in CI, fewer in `npm test`, or for as long as `FUZZ_SECONDS` says. */
export function fuzz<Given>(
  title: string,
  most: number,
  given: fc.Arbitrary<Given>,
  holds: (value: Given) => Promise<void> | void,
): void {
  // A hang is what the limit is for, not slowness.
  test(title, { timeout: 60_000 + seconds * 2000 }, async () => {
    if (seconds > 0) console.info(`${title}: seed ${seed}, ${seconds} s (again: FUZZ_SEED=${seed})`)
    let tried = 0
    const before = prototypes()
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const property = fc.asyncProperty(given, async (value) => {
      tried++
      await holds(value)
      expect(prototypes(), 'no prototype is changed').toBe(before)
    })
    const length =
      seconds > 0
        ? { numRuns: 1e9, interruptAfterTimeLimit: seconds * 1000, markInterruptAsFailure: false }
        : { numRuns: runs(most) }
    // On a failure fast-check prints the seed, the path to the value, and the smallest value that it found.
    await fc.assert(property, { seed, ...length })
    // A rejection counts as unhandled once the event loop has turned.
    await new Promise((turned) => setTimeout(turned, 0))
    expect(unhandled, 'no unhandled rejection').toEqual([])
    if (seconds > 0) console.info(`${title}: ${tried} runs`)
    expect(tried).toBeGreaterThan(0)
  })
}

/** What the prototypes that JSON can reach hold. */
function prototypes(): string {
  return [Object, Array, Function, String, Number, Boolean, Promise, Map]
    .map(({ prototype }) => Reflect.ownKeys(prototype).map(String).join())
    .join('\n')
}
