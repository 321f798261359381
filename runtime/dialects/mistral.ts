import type { Dialect } from './dialect.ts'
import { openai } from './openai.ts'

/**
 * Mistral's strict `json_schema`. No keyword list and no limits are published. Its SDK makes every property required and
 * nullable, so this follows OpenAI without OpenAI's limits.
 *
 * Source, read on 2026-11-01: @mistralai/mistralai 2.7.0, structured output helpers.
 */
export const mistral: Dialect = {
  ...openai,
  name: 'mistral',
  limits: [],
}
