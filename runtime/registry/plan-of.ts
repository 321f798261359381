import type { Call } from '../context/message.ts'
import type { DeclaredContext } from '../plan/declared.ts'
import { type AnyPlan, type PlanOptions, plan } from '../plan/plan.ts'
import type { ToolSchema } from '../schema/schema.ts'

/** `plan` of a project: {@link plan} over its Tools and what it declares of its contexts. */
export interface ProjectPlan {
  (calls?: readonly Call[]): AnyPlan
  from(calls: readonly Call[], options?: PlanOptions): AnyPlan
}

/**
 * Makes the `plan` of generated wiring.
 *
 * @param declared The schemas of what contexts hold, as text, parsed with the first plan.
 */
export function planOf(tools: object, declared?: string): ProjectPlan {
  let parsed: DeclaredContext | undefined
  const from: ProjectPlan['from'] = (calls, options) => {
    if (declared !== undefined) parsed ??= JSON.parse(declared)
    return plan(calls, { tools: tools as Readonly<Record<string, ToolSchema>>, declared: parsed, ...options })
  }
  return Object.assign((calls: readonly Call[] = []) => from(calls), { from })
}
