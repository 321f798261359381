import type { JsonObject } from '../../json/json.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import type { TokenUsage } from './token-usage.ts'

/** One message as both APIs take it. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What is asked, apart from the API that it goes through. */
export interface Question {
  readonly model: string
  readonly messages: readonly PromptMessage[]
  /** The schema of a text answer, strict; absent when only tools are asked for. */
  readonly schema?: JsonSchema | undefined
  /** The provider's own tools. */
  readonly tools?: readonly JsonObject[] | undefined
  readonly stream: boolean
  /** Further members of the body, such as `temperature`. */
  readonly body?: JsonObject | undefined
}

/** What came back, apart from the API that it came through. */
export interface Reply {
  readonly text: string
  /** Why the model does not answer. */
  readonly refusal?: string | undefined
  /** The answer stopped at a limit of tokens. */
  readonly isTruncated: boolean
  readonly usage: TokenUsage
  /** The answer as the API gave it, for its tool calls. */
  readonly answer: JsonObject
}

/** One of the two APIs of the client. */
export interface ModelApi {
  body(question: Question): JsonObject
  /** @throws RequestError `answer_invalid` for something that is no answer of this API. */
  read(answer: unknown): Reply
  /**
   * Reads a streamed answer to its end.
   *
   * @param onText Told of each piece of the text answer.
   * @throws RequestError `connection_failed` when it ends before the model says that it is done.
   */
  readStream(stream: AsyncIterable<unknown>, onText: (text: string) => void): Promise<Reply>
}

/** The name of the schema on its way; the API wants one. */
export const schemaName = 'solution'
