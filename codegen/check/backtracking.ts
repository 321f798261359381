import { compilePattern, type Machine } from '../../runtime/patterns/linear-matcher.ts'

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

function sampleTexts({ states }: Machine): string[] {
  const samples = new Set<string>()
  for (const state of states) {
    if (state.op !== 'character') continue
    const sample = candidates.find((each) => state.test(each))
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
function stepsOn({ states, start }: Machine, text: string): number {
  const pending: [state: number, at: number][] = [[start, 0]]
  let steps = 0
  for (let next = pending.pop(); next !== undefined && steps <= mostSteps; next = pending.pop()) {
    const [index, at] = next
    const state = states[index]
    steps += 1
    if (!state || state.op === 'found') return steps
    if (state.op === 'split') pending.push([state.next, at], [state.other, at])
    else if (state.op === 'character') {
      if (at < text.length && state.test(text.charAt(at))) pending.push([state.next, at + 1])
    } else if (
      state.op === 'look' ||
      (state.kind === '$' ? at === text.length : state.kind !== '^' || at === 0)
    ) {
      pending.push([state.next, at])
    }
  }
  return steps
}
