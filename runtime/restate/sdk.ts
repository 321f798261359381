import { CallsheetError } from '../errors.ts'

/** What is used of a promise of Restate's SDK. Only its own combinators may wait for several. */
export interface RestatePromise<Value> extends Promise<Value> {
  map<Mapped>(mapper: (value?: Value, failure?: RestateFailure) => Mapped): RestatePromise<Mapped>
  /** Not used: by it the SDK's own types know a promise of theirs. */
  orTimeout(milliseconds: number): RestatePromise<Value>
}

/** An error that the engine records and does not repeat. */
export interface RestateFailure extends Error {
  readonly code: number
}

/** How the engine stores a value. */
export interface RestateSerde<Value> {
  readonly contentType?: string
  serialize(value: Value): Uint8Array
  deserialize(data: Uint8Array): Value
}

/** What is used of the context of a handler; any handler's context has it. */
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
  /** Takes what `invocationId` of a call resolves to. */
  cancel(invocation: unknown): void
  request(): { readonly id: string; readonly attemptCompletedSignal: AbortSignal }
}

/** What a workflow's context has besides. */
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

/** What a service of the SDK is to those who serve it. */
export interface RestateService<Name extends string = string, Handlers = unknown> {
  readonly name: Name
  /** A type and no property: what typed clients of the SDK read. */
  readonly '~handlers'?: Handlers
}

/** What is used of the SDK itself. */
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
 * Loads Restate's SDK, which is an optional peer, where somebody uses it.
 *
 * @throws CallsheetError `invalid_options` where it is not installed, or cannot run on this Node.
 */
export function loadRestateSdk(): Promise<RestateSdk> {
  requireNode()
  loaded ??= importSdk()
  return loaded
}

async function importSdk(): Promise<RestateSdk> {
  try {
    // Within `try`, so that bundlers of a project without it only warn. The one cast: of the SDK's types only what is used is
    // written down above.
    return (await import('@restatedev/restate-sdk')) as unknown as RestateSdk
  } catch (cause) {
    loaded = undefined
    throw new CallsheetError(
      'invalid_options',
      'Running on Restate takes the package "@restatedev/restate-sdk", which is not installed. Run: npm install @restatedev/restate-sdk.',
      { cause },
    )
  }
}

/** The SDK starts on an older Node, and then answers every invocation with an error that says nothing. */
function requireNode(): void {
  if ('withResolvers' in Promise) return
  const { versions } = (globalThis as { process?: { versions?: { node?: string } } }).process ?? {}
  throw new CallsheetError(
    'invalid_options',
    `Restate's SDK needs Node 22 or later; this is ${versions?.node === undefined ? 'an older runtime' : `Node ${versions.node}`}. Run the worker with a newer one.`,
  )
}

/** Stores values as JSON. Its own, since the SDK's turns `undefined` into nothing and then fails to read it. */
export function jsonSerde<Value>(): RestateSerde<Value> {
  return {
    contentType: 'application/json',
    serialize: (value) => new TextEncoder().encode(JSON.stringify(value ?? null)),
    deserialize: (data) => (data.length === 0 ? null : JSON.parse(new TextDecoder().decode(data))) as Value,
  }
}
