import { isJsonObject, own } from '../../json/json.ts'
import { noUsage, type TokenUsage } from '../../tools/token-usage.ts'

/** Returns the tokens that a server counted, by the names that an API of OpenAI has for them; none if it did not. */
export function countedTokens(
  usage: unknown,
  sentName: 'prompt_tokens' | 'input_tokens',
  writtenName: 'completion_tokens' | 'output_tokens',
): TokenUsage {
  if (!isJsonObject(usage)) return noUsage
  const details = own(usage, `${sentName}_details`)
  const sent = own(usage, sentName)
  return {
    in: tokenCount(sent),
    out: tokensOut(own(usage, writtenName), sent, own(usage, 'total_tokens')),
    cached: tokenCount(isJsonObject(details) ? own(details, 'cached_tokens') : 0),
  }
}

/** Reads a token count. A missing or invalid count is unknown, and not guessed. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
}

/** Counts output tokens. xAI and Gemini leave reasoning out of that count and include it only in the total. */
function tokensOut(written: unknown, sent: unknown, total: unknown): number {
  return Math.max(tokenCount(written), tokenCount(total) - tokenCount(sent))
}
