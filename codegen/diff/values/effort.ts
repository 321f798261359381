/**
 * How many steps a search may still take. A step is about a value that is tried. Steps are counted, not seconds, so that the
 * same schemas always give the same answer.
 */
export interface Effort {
  left: number
}

/** Takes steps from what is left. Returns false once there are none. */
export function spend(effort: Effort, steps: number): boolean {
  effort.left -= steps
  return effort.left > 0
}
