import type { JsonObject } from '../../json/json.ts'
import type { NativeApi } from '../../native/shapes.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'

/** The APIs that a Request can use: two of OpenAI's, and Anthropic's. */
export type ApiName = 'chat' | 'responses' | 'messages'

/** A message of the prompt, independent of the API. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** The model's turn of an earlier answer, in the API's form: sent back unchanged. */
export interface SaidMessage {
  readonly role: 'said'
  readonly said: JsonObject
}

/** The results of the previous answer's tool calls (REQ-6a). */
export interface ResultsMessage {
  readonly role: 'results'
  readonly results: readonly ToolResult[]
}

export interface ToolResult {
  /** The provider's id of the tool call. */
  readonly id: string
  readonly content: string
  readonly isError: boolean
  /** The provider's names of deferred tools that the model may see from now on. */
  readonly shows?: readonly string[]
}

export type ConversationMessage = PromptMessage | SaidMessage | ResultsMessage

/** A request to a model, independent of the API. */
export interface Question {
  readonly model: string
  readonly messages: readonly ConversationMessage[]
  /**
   * The strict schema of a text answer; true for any JSON object (the JSON mode of a server). Absent if only native tools are offered,
   * or the prompt alone says what to answer.
   */
  readonly schema?: JsonSchema | true | undefined
  /** The provider's native tools. */
  readonly tools?: readonly JsonObject[] | undefined
  readonly stream: boolean
  /** False if the server is not asked to enforce the schema, since it refuses to be. */
  readonly strict: boolean
  /** False if the server is asked to keep nothing: it then knows no item of an earlier answer by its id. */
  readonly isStored: boolean
}

/** A model's answer, independent of the API. */
export interface Reply {
  readonly text: string
  /**
   * The texts of its messages or content blocks, in their order, which together are {@link text}. Absent if the API has
   * only one.
   */
  readonly texts?: readonly string[] | undefined
  /** The model's refusal. */
  readonly refusal?: string | undefined
  /** True if the answer stopped at a token limit. */
  readonly isTruncated: boolean
  readonly usage: TokenUsage
  /** The answer in the API's form, for its tool calls. */
  readonly answer: JsonObject
  /** The part of the answer to send back as the model's own turn. */
  readonly said: JsonObject
}

/** A complete tool call of an answer that is still streamed. */
export interface ToolCall {
  /** Its index in the answer, as the server counts. */
  readonly place: unknown
  readonly name: unknown
  /** The arguments, as JSON text or an object. */
  readonly arguments: unknown
}

/** Receives the parts of an answer while it is streamed. */
export interface AnswerListener {
  readonly onText: (text: string) => void
  readonly onToolCall: (call: ToolCall) => void
  /** Receives the length of every stored piece. @throws RequestError `limit_reached` if the answer grows too long. */
  readonly onGrowth: (characters: number) => void
  /**
   * Receives whatever else is stored, such as items and blocks: these may be as long as a body that is not streamed. @throws
   * RequestError `limit_reached`
   */
  readonly onStored: (value: unknown) => void
  /** Receives the tokens that the server has reported so far: they count if the answer breaks off, too. */
  readonly onUsage: (usage: TokenUsage) => void
  /** True once the server has said that its stream is complete, as far as the client can report it. */
  readonly isClosed: () => boolean
}

/** Sends a body with a client, and returns the client's result. */
export type Send = (body: object, options: SendOptions) => PromiseLike<unknown>

export interface SendOptions {
  readonly signal: AbortSignal
  /**
   * Called whenever something of a stream arrives, also what the client drops: with true once the server has said that the stream is
   * complete. Not every client can report that.
   */
  readonly onData: (isLast: boolean) => void
}

/** An API: how to build its bodies and read its answers. */
export interface ModelApi {
  /** The form of its native tools. */
  readonly native: NativeApi
  /** True if a model's turn is in the form of this API: a run may continue with another one. */
  hasForm(said: JsonObject): boolean
  /** @throws RequestError `invalid_options` if the client does not have this API. */
  sender(client: object): Send
  body(question: Question): JsonObject
  /** @throws RequestError `answer_invalid` if it is not an answer of this API. */
  read(answer: unknown): Reply
  /**
   * Reads a streamed answer to its end.
   *
   * @throws RequestError `connection_failed` if it ends before the model is done.
   */
  readStream(stream: AsyncIterable<unknown>, listener: AnswerListener): Promise<Reply>
}

/** The name of the schema, which the API requires. */
export const schemaName = 'solution'
