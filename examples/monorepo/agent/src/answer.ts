import { Tool } from '@delivery/contracts'
import { createContext, type Outcome } from 'callsheet'

/** Runs a model's Calls in order; a Call may read what an earlier one wrote. */
export async function runAnswer(text: string): Promise<Outcome[]> {
  const context = createContext()
  const outcomes: Outcome[] = []
  for (const call of Tool.parse(text)) outcomes.push(await Tool.run(call, { context }))
  return outcomes
}
