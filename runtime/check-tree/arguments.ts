import type { Argument, CheckTree } from './tree.ts'

/** Returns the value of a literal argument; undefined for any other argument, or none. */
export function literalOf(arg: Argument | undefined): unknown {
  return arg && 'literal' in arg ? arg.literal : undefined
}

/** Returns the step of a step argument; undefined for any other argument, or none. */
export function stepOf(arg: Argument | undefined): CheckTree | undefined {
  return arg && 'step' in arg ? arg.step : undefined
}

/** Returns the steps of an argument that is a list of steps. */
export function stepsOf(arg: Argument | undefined): CheckTree[] {
  return arg && 'list' in arg ? arg.list.flatMap((item) => stepOf(item) ?? []) : []
}
