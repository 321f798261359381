import type { GivenCall } from '../context/message.ts'
import type { DeclaredContext } from '../plan/declared.ts'
import { type AnyPlan, type PlanOptions, plan } from '../plan/plan.ts'
import type { ToolSchema } from '../schema/schema.ts'

/** The `plan` of a project: {@link plan} with the project's Tools and declared context. */
export interface ProjectPlan {
  (calls?: readonly GivenCall[]): AnyPlan
  from(calls: readonly GivenCall[], options?: PlanOptions): AnyPlan
}

/**
 * Creates the `plan` of generated wiring.
 *
 * @param declared The declared context as JSON text, parsed with the first plan.
 */
export function planOf(tools: object, declared?: string): ProjectPlan {
  let parsed: DeclaredContext | undefined
  const from: ProjectPlan['from'] = (calls, options) => {
    if (declared !== undefined) parsed ??= JSON.parse(declared)
    return plan(calls, { tools: tools as Readonly<Record<string, ToolSchema>>, declared: parsed, ...options })
  }
  return Object.assign((calls: readonly GivenCall[] = []) => from(calls), { from })
}
