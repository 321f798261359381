import type { SourcePosition } from '../model.ts'

/** What a change touches (DIFF-1). */
export const changeClasses = ['wire', 'type', 'wording', 'effect', 'dialect'] as const
export type ChangeClass = (typeof changeClasses)[number]

/** Which side is deployed first (DIFF-3). */
export const orders = ['together', 'worker-first', 'agent-first'] as const
export type Order = (typeof orders)[number]

/** `unknown`: neither proven nor refuted; it counts as breaking. */
export type Verdict = 'safe' | 'breaks' | 'unknown'

/** A value that one side takes and the other refuses. */
export interface Example {
  /** Whose values it is one of. */
  readonly of: 'before' | 'after'
  readonly value: unknown
}

/** One thing that is different, and what it means. */
export interface Change {
  /** Names this change and no other: by it an exception is written down. */
  readonly id: string
  readonly class: ChangeClass
  /** The Tool by its present name, or its last one when it is gone; undefined for what concerns the whole set. */
  readonly tool: string | undefined
  /** Where in the Call or output, as a JSON pointer; empty for the Tool itself. */
  readonly path: string
  /** What changed. */
  readonly title: string
  /** What it means, in plain sentences. */
  readonly meaning: string
  /** Whether each order of deployment is safe; all of them for changes that are not of class wire. */
  readonly verdicts: Readonly<Record<Order, Verdict>>
  readonly examples: readonly Example[]
  readonly at?: SourcePosition
  /** The reason of the exception that excuses it. */
  readonly excused?: string
}

export const safeInEveryOrder: Change['verdicts'] = {
  together: 'safe',
  'worker-first': 'safe',
  'agent-first': 'safe',
}
