import type { Argument, CheckTree } from './tree.ts'

/** The value of an argument that is a literal; undefined for any other, or none. */
export function literalOf(arg: Argument | undefined): unknown {
  return arg && 'literal' in arg ? arg.literal : undefined
}

/** The step that an argument is; undefined for any other, or none. */
export function stepOf(arg: Argument | undefined): CheckTree | undefined {
  return arg && 'step' in arg ? arg.step : undefined
}

/** The steps of an argument that is a list of them. */
export function stepsOf(arg: Argument | undefined): CheckTree[] {
  return arg && 'list' in arg ? arg.list.flatMap((item) => stepOf(item) ?? []) : []
}
