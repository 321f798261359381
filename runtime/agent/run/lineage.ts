import type { Meter } from '../loop/meter.ts'

/** What a run inherits from the run that it is part of. */
export interface Lineage {
  readonly runId: string
  /** Counts what is spent for real. */
  readonly meter: Meter
  /** How many delegates the run is inside of. */
  readonly depth: number
}
