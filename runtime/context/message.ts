import type { Problem } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import type { Schema, ToolSchema } from '../schema/schema.ts'

/** How a write meets what is there already (OUT-3). `set`, the default, replaces it. */
export type OutputMethod = 'set' | 'merge' | 'assign' | 'push' | 'concat'

/** An instance of a Tool: parameters and meta-fields, plain JSON. */
export interface Call {
  _tool: string
  [key: string]: unknown
}

interface OfInstance {
  /** The instance that the Message belongs to; without one it belongs to all (INST-1). */
  _instance?: string
}

interface DataFields extends OfInstance {
  /** What the data means, for the model that reads it. */
  description?: string
  /** The schema that the data follows. */
  schema?: Schema
  _outputMethod?: OutputMethod
  /** The single path that the Message writes, as `†kind.path`. */
  _path?: string
  /** The Call whose output this is. */
  _call?: Call
  /** When it was written, ISO 8601. */
  _date?: string
}

/** A piece of state, an input, a result, or data of any other kind. */
export interface DataMessage<Data = unknown> extends DataFields {
  type: 'data'
  /** `state`, `input`, `result`, or any other name; `data` by default. */
  kind?: string
  data: Data
}

/** The short form of a {@link DataMessage} of kind `input`. */
export interface InputMessage<Input = unknown> extends DataFields {
  type: 'input'
  input: Input
}

/** The short form of a {@link DataMessage} of kind `state`. */
export interface StateMessage<State = unknown> extends DataFields {
  type: 'state'
  state: State
}

/** A Message that holds data, in whichever spelling. */
export type AnyDataMessage = DataMessage | InputMessage | StateMessage

/** What somebody said. */
export interface TextMessage extends OfInstance {
  type: 'text'
  role?: string
  text: string
}

/** A Tool that is there for this context. */
export interface ToolMessage extends OfInstance {
  type: 'tool'
  tool: ToolSchema
}

/** Calls that are to run, ordered by what they read from each other. */
export interface PlanMessage extends OfInstance {
  type: 'plan'
  plan: Call[]
  mode?: 'eager' | 'lazy'
}

/** What became of a Call that failed, for the model that made it. */
export interface ErrorMessage extends OfInstance {
  type: 'error'
  data: { call: unknown; error: { code: string; message: string; problems?: readonly Problem[] } }
}

/** An entry of a context: one of these shapes and no other. Discriminated by `type`. */
export type Message = AnyDataMessage | TextMessage | ToolMessage | PlanMessage | ErrorMessage

/** True for a Message that holds data, in its long or a short form. */
export function isDataMessage(message: Message): message is AnyDataMessage {
  return message.type === 'data' || message.type === 'state' || message.type === 'input'
}

/** What `†kind` and a scope call the Message: the kind of its data, and its type where it holds none. */
export function messageKind(message: Message): string {
  return message.type === 'data' ? (message.kind ?? 'data') : message.type
}

/** What a Message holds, wherever its form keeps it: data, or its text, Tool, plan or failure. */
export function dataOf(message: Message): unknown {
  if (message.type === 'data' || message.type === 'error') return message.data
  return (message as unknown as JsonObject)[message.type]
}
