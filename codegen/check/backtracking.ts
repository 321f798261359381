import {
  beginning,
  character,
  compilePattern,
  end,
  found,
  type Machine,
  split,
} from '../../runtime/patterns/machine.ts'

/** Length of the sample texts, and the step limit. A pattern beyond it doubles its time every few characters. */
const textLength = 28
const mostSteps = 200_000

/**
 * Whether a regular expression can hang. Simulates a backtracking engine on short texts of characters that the pattern
 * matches, followed by one that it hardly matches. Has no false positives, but does not find every slow pattern.
 */
export function hangsByTrial(pattern: string): boolean {
  const machine = compilePattern(pattern)
  // The simulation does not support lookaround assertions.
  if (!machine || machine.looks.length > 0) return false
  return sampleTexts(machine).some((text) => stepsOn(machine, text) > mostSteps)
}

function sampleTexts({ operations, values, tests }: Machine): string[] {
  const samples = new Set<string>()
  for (const [state, value] of values.entries()) {
    if (operations[state] !== character) continue
    const sample = candidates.find((each) => tests[value]?.test(each))
    if (sample !== undefined) samples.add(sample)
    if (samples.size === 6) break
  }
  const single = [...samples]
  const pairs = single.flatMap((left) => single.map((right) => left + right))
  return pairs.map((pair) => `${pair.repeat(textLength / 2)}\u0000`)
}

const candidates = Array.from(
  { length: 95 },
  (_, index) => '0a _-./@'.charAt(index) || String.fromCharCode(32 + index),
)

/** Counts the steps of a backtracking engine on a text. */
function stepsOn({ operations, next, values, tests, start }: Machine, text: string): number {
  const pending: [state: number, at: number][] = [[start, 0]]
  let steps = 0
  for (let path = pending.pop(); path !== undefined && steps <= mostSteps; path = pending.pop()) {
    const [state, at] = path
    const [does, after, value] = [operations[state], next[state] ?? 0, values[state] ?? 0]
    steps += 1
    if (does === found) return steps
    if (does === split) pending.push([after, at], [value, at])
    else if (does === character) {
      if (at < text.length && tests[value]?.test(text.charAt(at))) pending.push([after, at + 1])
    } else if (value === end ? at === text.length : value !== beginning || at === 0) {
      pending.push([after, at])
    }
  }
  return steps
}
