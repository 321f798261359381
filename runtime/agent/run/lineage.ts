import type { Meter } from '../loop/meter.ts'

/** What a nested run inherits from its outer run. */
export interface Lineage {
  readonly runId: string
  /** Counts what is really spent. */
  readonly meter: Meter
  /** Nesting depth: the number of delegates around the run. */
  readonly depth: number
}
