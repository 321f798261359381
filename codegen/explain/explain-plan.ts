import type { Call } from '../../runtime/context/message.ts'
import { isJsonObject, own } from '../../runtime/json/json.ts'
import { plan } from '../../runtime/plan/plan.ts'
import type { ToolSchema } from '../../runtime/schema/schema.ts'
import type { ConfigOptions } from '../config/load-config.ts'
import { GeneratorError } from '../generator-error.ts'
import { readModels } from '../read-models.ts'

/**
 * Checks a plan by the rules of `plan(…)` and draws its graph as Mermaid.
 *
 * @param data Calls in a list, a `plan` Message, or a solution.
 * @throws GeneratorError `invalid_usage` for anything else; CallError with every problem of the plan.
 */
export async function explainPlan(data: unknown, options: ConfigOptions): Promise<string> {
  const calls = callsIn(data)
  if (!calls) {
    throw new GeneratorError('invalid_usage', [
      {
        message: 'The file holds no plan.',
        fix: 'Pass a list of Calls, a Message { "type": "plan", "plan": […] }, or a solution { "calls": […] }.',
      },
    ])
  }
  const sets = await readModels(options)
  const tools: Record<string, ToolSchema> = Object.fromEntries(
    sets.flatMap(({ model }) => model.tools.map(({ name, schema }) => [name, schema])),
  )
  const [declaring] = sets.filter(({ model }) => model.context)
  const { context: kinds, definitions } = declaring?.model ?? {}
  return plan(calls, { tools, declared: kinds && { kinds, ...(definitions && { definitions }) } }).mermaid()
}

function callsIn(data: unknown): Call[] | undefined {
  const list = isJsonObject(data) ? (own(data, 'plan') ?? own(data, 'calls')) : data
  // The items are checked with the plan, which reports all problems at once.
  return Array.isArray(list) ? list : undefined
}
