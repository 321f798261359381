import type { ErrorData } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { ApiName } from '../transport/reply.ts'

/** One attempt of a Request: what was sent, and what came back. */
export interface SentRequest {
  readonly api: ApiName
  /** From 1. */
  readonly attempt: number
  /** Milliseconds. */
  readonly took: number
  /** The body as it went out. It holds no key: those are the client's. */
  readonly body: JsonObject
  /** The answer in the form of the API; of a stream what its pieces came to. */
  readonly answer?: JsonObject
  readonly usage?: TokenUsage
  /** Why there is no answer that could be used. */
  readonly error?: ErrorData
}
