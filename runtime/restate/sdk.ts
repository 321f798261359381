import { CallsheetError } from '../errors.ts'

/** The used part of a promise of Restate's SDK. Only the SDK's combinators may wait for several. */
export interface RestatePromise<Value> extends Promise<Value> {
  map<Mapped>(mapper: (value?: Value, failure?: RestateFailure) => Mapped): RestatePromise<Mapped>
  /** Not used: the SDK's types recognise their promises by it. */
  orTimeout(milliseconds: number): RestatePromise<Value>
}

/** An error that the engine records and does not retry. */
export interface RestateFailure extends Error {
  readonly code: number
}

/** A serialiser for values in the journal. */
export interface RestateSerde<Value> {
  readonly contentType?: string
  serialize(value: Value): Uint8Array
  deserialize(data: Uint8Array): Value
}

/** The used part of a handler's context. */
export interface RestateContext {
  run<Value>(
    name: string,
    action: () => Promise<Value>,
    options: {
      readonly serde?: RestateSerde<Value>
      readonly maxRetryAttempts?: number
      readonly initialRetryInterval?: number
      readonly maxRetryInterval?: number
      readonly retryIntervalFactor?: number
    },
  ): RestatePromise<Value>
  genericCall<Sent, Got>(call: {
    service: string
    method: string
    parameter: Sent
    idempotencyKey?: string
    inputSerde?: RestateSerde<Sent>
    outputSerde?: RestateSerde<Got>
  }): RestatePromise<Got> & { readonly invocationId: Promise<unknown> }
  sleep(milliseconds: number): RestatePromise<void>
  awakeable<Value>(serde?: RestateSerde<Value>): { id: string; promise: RestatePromise<Value> }
  /** Accepts the resolved `invocationId` of a call. */
  cancel(invocation: unknown): void
  request(): {
    readonly id: string
    readonly attemptCompletedSignal: AbortSignal
    /** The invocation's input, as it was sent. */
    readonly body?: Uint8Array
  }
}

/** The additional part of a workflow's context. */
export interface RestateWorkflowContext extends RestateContext {
  readonly key: string
  set<Value>(name: string, value: Value, serde?: RestateSerde<Value>): void
  clear(name: string): void
  get<Value>(name: string, serde?: RestateSerde<Value>): Promise<Value | null>
  promise<Value>(
    name: string,
    serde?: RestateSerde<Value>,
  ): {
    peek(): Promise<Value | undefined>
    resolve(value?: Value): Promise<void>
    get(): RestatePromise<Value>
  }
}

/** A service of the SDK. */
export interface RestateService<Name extends string = string, Handlers = unknown> {
  readonly name: Name
  /** Exists in the type only, for typed clients of the SDK. */
  readonly '~handlers'?: Handlers
}

/** The used part of the SDK. */
export interface RestateSdk {
  readonly RestatePromise: {
    race<Value>(promises: readonly RestatePromise<Value>[]): RestatePromise<Value>
  }
  readonly TerminalError: new (
    message: string,
    options: { errorCode: number; metadata?: Record<string, string> },
  ) => RestateFailure
  readonly CancelledError: new () => RestateFailure
  service(definition: object): { readonly name: string }
  workflow(definition: object): { readonly name: string }
  serve(options: { services: RestateService[]; port: number }): Promise<number>
}

let loaded: Promise<RestateSdk> | undefined

/**
 * Loads Restate's SDK, an optional peer, on first use.
 *
 * @throws CallsheetError `invalid_options` if it is not installed, or does not support this version of Node.
 */
export function loadRestateSdk(): Promise<RestateSdk> {
  requireNode()
  loaded ??= importSdk()
  return loaded
}

async function importSdk(): Promise<RestateSdk> {
  try {
    // Within `try`, so that bundlers of a project without it only warn. The one cast: only the used part of the SDK's types is
    // declared above.
    return (await import('@restatedev/restate-sdk')) as unknown as RestateSdk
  } catch (cause) {
    loaded = undefined
    throw new CallsheetError(
      'invalid_options',
      'Running on Restate needs the package "@restatedev/restate-sdk", which is not installed. Run: npm install @restatedev/restate-sdk.',
      { cause },
    )
  }
}

/** Requires a supported version of Node: on an older one the SDK starts, but fails every invocation with an unhelpful error. */
function requireNode(): void {
  if ('withResolvers' in Promise) return
  const { versions } = (globalThis as { process?: { versions?: { node?: string } } }).process ?? {}
  throw new CallsheetError(
    'invalid_options',
    `Restate's SDK needs Node 22 or later; this is ${versions?.node === undefined ? 'an older runtime' : `Node ${versions.node}`}. Run the worker with a newer one.`,
  )
}

/** Stores values as JSON. Replaces the SDK's serialiser, which writes nothing for `undefined` and then fails to read it. */
export function jsonSerde<Value>(): RestateSerde<Value> {
  return {
    contentType: 'application/json',
    serialize: (value) => new TextEncoder().encode(JSON.stringify(value ?? null)),
    deserialize: (data) => (data.length === 0 ? null : JSON.parse(new TextDecoder().decode(data))) as Value,
  }
}
