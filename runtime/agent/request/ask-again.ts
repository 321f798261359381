import { copyJson } from '../../json/json-copy.ts'
import { plainGoal } from '../../schema/plain-goal.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import { Idea } from '../ideas/idea.ts'
import { requireIdea } from '../ideas/require-idea.ts'
import { apiOf, dialectOf } from '../transport/choose-api.ts'
import { dataFormat } from './answer-format.ts'
import { ask } from './ask.ts'
import { goalRules, type ModelOptions, modelOptionRules, requireRequestOptions } from './request-options.ts'

/** A model's answer to a stored Request. */
export interface AskedAgain<Answer = unknown> {
  /** Valid under the Idea's schema; for a Vessel, `{ calls, output }`. */
  readonly answer: Answer
  /** The stored Request, with this answer as its solution. */
  readonly idea: Idea
  readonly usage: TokenUsage
  readonly attempts: number
}

/**
 * Sends the Request of an Idea or a Vessel again, with the same schema and context (REQ-11). Runs no Calls.
 *
 * @throws RequestError as `Request` does.
 *
 * @example
 * const vessel = await Vessel.load('runs/first.json')
 * const { answer } = await askAgain(vessel, { model: 'gpt-5-mini' })
 */
export async function askAgain<Answer = unknown>(
  idea: IdeaData,
  options: ModelOptions & { readonly signal?: AbortSignal | undefined },
): Promise<AskedAgain<Answer>> {
  requireIdea(idea, 'What is asked again')
  requireRequestOptions('askAgain', options, { ...modelOptionRules, signal: goalRules.signal })
  // Refuses what nests too deep to be written.
  const context = copyJson(idea.context)
  const schema = plainGoal(idea.schema, 'the Idea') as JsonSchema
  const { dialect = dialectOf(apiOf(options)), signal } = options
  const format = dataFormat(schema, dialect)
  const { answer, usage, attempts } = await ask(options, { format, context, hasOutput: true, signal })
  // The one cast: the answer is valid under the schema, and the caller declares its type.
  return { answer: answer as Answer, idea: new Idea({ schema, context, solution: answer }), usage, attempts }
}
