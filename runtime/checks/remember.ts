import { Reasons } from './reasons.ts'
import type { Step, Verdict } from './step.ts'

/**
 * A definition can be met by one value over and over: by each alternative of a union, at each level of a recursion, which
 * multiplies. What it answered is remembered until the check ends, so that each value meets each definition once.
 */

let running = 0
let isCollecting = false
const tables = new Set<Map<unknown, unknown>>()

/** Begins a check. */
export function begin(): void {
  running += 1
}

/** Ends a check, and forgets what was remembered in it: the value may have changed by the next one. */
export function end(): void {
  running -= 1
  if (running > 0 || tables.size === 0) return
  for (const table of tables) table.clear()
  tables.clear()
}

/** Runs the part of a check that collects reasons. There every definition remembers: each level asks for verdicts first. */
export function collecting(run: () => void): void {
  const before = isCollecting
  isCollecting = true
  try {
    run()
  } finally {
    isCollecting = before
  }
}

/** The verdict of a definition that one value can meet several times. */
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
 * The step of a definition.
 *
 * @param always Remembers verdicts even before reasons are collected: for a definition that one value can meet several
 * times, where there is no generated verdict.
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
