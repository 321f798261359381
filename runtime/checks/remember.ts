import { Reasons } from './reasons.ts'
import type { Step, Verdict } from './step.ts'

/**
 * Memoises the verdicts of definitions. A check can apply a definition to the same value once for each alternative of a union, at
 * each level of a recursion, which multiplies; with its verdict remembered until the check ends, it runs once per value.
 */

let running = 0
let isCollecting = false
const tables = new Set<Map<unknown, unknown>>()

/** Begins a check. */
export function begin(): void {
  running += 1
}

/** Ends a check and forgets its verdicts: the value may change before the next check. */
export function end(): void {
  running -= 1
  if (running > 0 || tables.size === 0) return
  for (const table of tables) table.clear()
  tables.clear()
}

/** Runs the pass that collects reasons, in which every definition is memoised: each level needs verdicts first. */
export function collecting(run: () => void): void {
  const before = isCollecting
  isCollecting = true
  try {
    run()
  } finally {
    isCollecting = before
  }
}

/** Returns the memoised verdict of a definition that can apply to the same value several times. */
export function rememberVerdict(verdict: Verdict): Verdict {
  const verdicts = new Map<unknown, boolean>()
  return (value) => {
    const known = verdicts.get(value)
    if (known !== undefined) return known
    const answer = verdict(value)
    if (running > 0) {
      tables.add(verdicts)
      verdicts.set(value, answer)
    }
    return answer
  }
}

/**
 * Creates the step of a definition.
 *
 * @param always Memoises verdicts in the first pass too: for a definition that can apply to the same value several times and has
 * no generated verdict.
 */
export function rememberStep(step: Step, always: boolean = false): Step {
  const verdicts = new Map<unknown, boolean>()
  const collected = new Map<unknown, { readonly path: string; readonly reasons: Reasons }>()
  return (value, path, problems) => {
    if (problems === null) {
      if (!always && !isCollecting) return step(value, path, null)
      const known = verdicts.get(value)
      if (known !== undefined) return known
      const answer = step(value, path, null)
      tables.add(verdicts)
      verdicts.set(value, answer)
      return answer
    }
    const known = collected.get(value)
    if (known?.path === path) {
      problems.addAll(known.reasons)
      return true
    }
    const reasons = new Reasons()
    step(value, path, reasons)
    tables.add(collected)
    collected.set(value, { path, reasons })
    problems.addAll(reasons)
    return true
  }
}
