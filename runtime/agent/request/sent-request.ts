import type { ErrorData } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { ApiName } from '../transport/reply.ts'

/** One attempt of a Request: what was sent and received. */
export interface SentRequest {
  readonly api: ApiName
  /** Counted from 1. */
  readonly attempt: number
  /** Duration in milliseconds. */
  readonly took: number
  /** The body as sent. Contains no API key, which only the client has. */
  readonly body: JsonObject
  /** The answer in the API's form; for a stream, its pieces combined. */
  readonly answer?: JsonObject
  readonly usage?: TokenUsage
  /** Why there is no usable answer. */
  readonly error?: ErrorData
}
