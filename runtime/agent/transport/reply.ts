import type { JsonObject } from '../../json/json.ts'
import type { NativeApi } from '../../native/shapes.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'

/** The APIs that a Request can go through: two of OpenAI's, and Anthropic's. */
export type ApiName = 'chat' | 'responses' | 'messages'

/** One message as every API takes it, in its own form. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What the model said in an earlier answer, in the form of the API: it goes back as it came. */
export interface SaidMessage {
  readonly role: 'said'
  readonly said: JsonObject
}

/** What came of the tool calls of the answer before it (REQ-6a). */
export interface ResultsMessage {
  readonly role: 'results'
  readonly results: readonly ToolResult[]
}

export interface ToolResult {
  /** The provider's id of the tool call. */
  readonly id: string
  readonly content: string
  readonly isError: boolean
  /** The provider's names of tools that it kept back and that the model may see from now on. */
  readonly shows?: readonly string[]
}

export type ConversationMessage = PromptMessage | SaidMessage | ResultsMessage

/** What is asked, apart from the API that it goes through. */
export interface Question {
  readonly model: string
  readonly messages: readonly ConversationMessage[]
  /** The schema of a text answer, strict; absent when only tools are asked for. */
  readonly schema?: JsonSchema | undefined
  /** The provider's own tools. */
  readonly tools?: readonly JsonObject[] | undefined
  readonly stream: boolean
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
  /** The part of the answer that goes back to the model as its own words. */
  readonly said: JsonObject
}

/** A tool call of an answer that is still coming, once it is complete itself. */
export interface ToolCall {
  /** Where it stands in the answer, as the server counts. */
  readonly place: unknown
  readonly name: unknown
  /** JSON text, or an object. */
  readonly arguments: unknown
}

/** Told of an answer while it comes. */
export interface AnswerListener {
  readonly onText: (text: string) => void
  readonly onToolCall: (call: ToolCall) => void
  /** Told of every piece that is kept. @throws RequestError `limit_reached` when the answer grows too long. */
  readonly onGrowth: (characters: number) => void
}

/** Sends bodies by one client, and gives what it gives. */
export type Send = (body: object, options: { readonly signal: AbortSignal }) => PromiseLike<unknown>

/** One API: its bodies, and its answers. */
export interface ModelApi {
  /** How its own tools are written. */
  readonly native: NativeApi
  /** Whether tool calls that a model said are in the form of this API: a run may go on through another one. */
  hasForm(said: JsonObject): boolean
  /** @throws RequestError `invalid_options` for a client that has no such API. */
  sender(client: object): Send
  body(question: Question): JsonObject
  /** @throws RequestError `answer_invalid` for something that is not an answer of this API. */
  read(answer: unknown): Reply
  /**
   * Reads a streamed answer to its end.
   *
   * @throws RequestError `connection_failed` when it ends before the model says that it is done.
   */
  readStream(stream: AsyncIterable<unknown>, listener: AnswerListener): Promise<Reply>
}

/** The name of the schema on its way; the API wants one. */
export const schemaName = 'solution'
