import type { SourcePosition } from '../model.ts'

/** The classes of changes (DIFF-1). */
export const changeClasses = ['wire', 'type', 'wording', 'effect', 'dialect'] as const
export type ChangeClass = (typeof changeClasses)[number]

/** Which side is deployed first (DIFF-3). */
export const orders = ['together', 'worker-first', 'agent-first'] as const
export type Order = (typeof orders)[number]

/** `unknown`: neither proven nor refuted; it counts as breaking. */
export type Verdict = 'safe' | 'breaks' | 'unknown'

/** A value that one side accepts and the other refuses. */
export interface Example {
  /** The side that accepts it. */
  readonly of: 'before' | 'after'
  readonly value: unknown
}

/** One difference between two contracts. */
export interface Change {
  /** Unique id; an exception names the change by it. */
  readonly id: string
  readonly class: ChangeClass
  /** The Tool's current name, or its last name if it was removed; undefined for a change of the whole set. */
  readonly tool: string | undefined
  /** JSON pointer into the Call or output; empty for the Tool itself. */
  readonly path: string
  /** What changed. */
  readonly title: string
  /** The consequence, in sentences. */
  readonly meaning: string
  /** Whether each order of deployment is safe. Always safe for changes of classes other than wire. */
  readonly verdicts: Readonly<Record<Order, Verdict>>
  readonly examples: readonly Example[]
  readonly at?: SourcePosition
  /** The reason of the exception that accepts this change. */
  readonly excused?: string
}

export const safeInEveryOrder: Change['verdicts'] = {
  together: 'safe',
  'worker-first': 'safe',
  'agent-first': 'safe',
}
