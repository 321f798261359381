import type { Problem } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import type { Schema, ToolSchema } from '../schema/schema.ts'

/** How a write combines with the existing value (OUT-3). `set`, the default, replaces it. */
export type OutputMethod = 'set' | 'merge' | 'assign' | 'push' | 'concat'

/** An instance of a Tool: parameters and meta-fields, plain JSON. */
export interface Call {
  _tool: string
  [key: string]: unknown
}

/**
 * A Call as functions accept it: a literal, a built one, or one of a generated type, such as `WeatherCheckCall`. Those
 * are interfaces, which TypeScript does not compare with an index signature: casts to {@link Call} are safe.
 */
export type GivenCall = Call | { readonly _tool: string }

interface OfInstance {
  /** The instance that the Message belongs to; if absent, all instances see it (INST-1). */
  _instance?: string
}

interface DataFields<Form> extends OfInstance {
  /** Explains the data to the model. */
  description?: string
  /** The schema of the data. */
  schema?: Form
  _outputMethod?: OutputMethod
  /** The only path that the Message writes, as `†kind.path`. */
  _path?: string
  /** The Call whose output the data is. */
  _call?: Call
  /** The time of writing, as ISO 8601. */
  _date?: string
}

/** State, an input, a result, or data of any other kind. */
export interface DataMessage<Data = unknown, Form = Schema> extends DataFields<Form> {
  type: 'data'
  /** `state`, `input`, `result`, or any other name. Default: `data`. */
  kind?: string
  data: Data
}

/** The short form of a {@link DataMessage} of kind `input`. */
export interface InputMessage<Input = unknown, Form = Schema> extends DataFields<Form> {
  type: 'input'
  input: Input
}

/** The short form of a {@link DataMessage} of kind `state`. */
export interface StateMessage<State = unknown, Form = Schema> extends DataFields<Form> {
  type: 'state'
  state: State
}

/** A Message that contains data, in its long or a short form. */
export type AnyDataMessage = DataMessage | InputMessage | StateMessage

/** Text of a user, the model or the system. */
export interface TextMessage extends OfInstance {
  type: 'text'
  role?: string
  text: string
}

/** A Tool that exists for this context only. */
export interface ToolMessage<Form = ToolSchema> extends OfInstance {
  type: 'tool'
  tool: Form
}

/** Calls to run, ordered by what they read from each other. */
export interface PlanMessage<Form = Call> extends OfInstance {
  type: 'plan'
  plan: Form[]
  mode?: 'eager' | 'lazy'
}

/** The failure of a Call, for the model that made it. */
export interface ErrorMessage extends OfInstance {
  type: 'error'
  data: { call: unknown; error: { code: string; message: string; problems?: readonly Problem[] } }
}

/** An entry of a context: one of these shapes. Discriminated by `type`. */
export type Message = AnyDataMessage | TextMessage | ToolMessage | PlanMessage | ErrorMessage

type GivenSchema = Schema | object

/**
 * A Message as functions accept it: its schema may also be a TypeBox one, and its Tool one that `tool` declared or
 * `generated/` exports. Those are plain JSON Schemas too, which TypeScript cannot see: casts to {@link Message} are safe.
 */
export type GivenMessage =
  | DataMessage<unknown, GivenSchema>
  | InputMessage<unknown, GivenSchema>
  | StateMessage<unknown, GivenSchema>
  | ToolMessage<ToolSchema | object>
  | PlanMessage<GivenCall>
  | Exclude<Message, AnyDataMessage | ToolMessage | PlanMessage>

/** True for a Message that contains data, in its long or a short form. */
export function isDataMessage(message: Message): message is AnyDataMessage {
  return message.type === 'data' || message.type === 'state' || message.type === 'input'
}

/** The kind of a Message, as References and scopes name it: the kind of its data or, without data, its type. */
export function messageKind(message: Message): string {
  return message.type === 'data' ? (message.kind ?? 'data') : message.type
}

/** Returns the content of a Message of any shape: its data, text, Tool, plan or failure. */
export function dataOf(message: Message): unknown {
  if (message.type === 'data' || message.type === 'error') return message.data
  return (message as unknown as JsonObject)[message.type]
}
