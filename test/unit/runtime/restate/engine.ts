import {
  type RestateAgent,
  type RestateLimits,
  type RestateSdk,
  type RestateStepOptions,
  type RestateSteps,
  type RestateTools,
  restateHandler,
  restateServices,
} from 'callsheet/restate'

/** What an invocation has recorded: by its place what an entry was called, and what came of it. */
export interface Journal {
  readonly entries: { readonly name: string; readonly value: unknown }[]
}

type Handlers = Record<string, (ctx: object, given: unknown) => Promise<unknown>>

/** What ends an invocation for good. */
export class EngineFailure extends Error {}
class CancelledError extends EngineFailure {}

/** A promise as the SDK has them. */
class Recorded<Value> extends Promise<Value> {
  map<Mapped>(mapper: (value?: Value, failure?: unknown) => Mapped): Recorded<Mapped> {
    return Recorded.of(
      this.then(
        (value) => mapper(value),
        (failure) => mapper(undefined, failure),
      ),
    )
  }

  static of<Value>(promise: Promise<Value>): Recorded<Value> {
    return new Recorded((resolve, reject) => promise.then(resolve, reject))
  }
}

const sdk = {
  TerminalError: EngineFailure,
  CancelledError,
  RestatePromise: { race: (promises: Promise<unknown>[]) => Recorded.of(Promise.race(promises)) },
  service: (definition: object) => definition,
  workflow: (definition: object) => definition,
} as unknown as RestateSdk

interface GenericCall {
  readonly service: string
  readonly method: string
  readonly idempotencyKey?: string
  readonly parameter: unknown
}

/** What an engine does of an entry that fails: it is repeated, and then given up. */
async function attempted(work: () => Promise<unknown>, most = 1): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (thrown) {
      if (attempt >= most) throw new EngineFailure(thrown instanceof Error ? thrown.message : 'It fails.')
    }
  }
}

const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))

/** Services and handlers on Restate without a server: entries go through a journal, and calls reach their handler at once. */
export async function restateOf(
  Tool: RestateTools,
  { agent, ...options }: Partial<RestateStepOptions> & { readonly agent?: unknown } = {},
  retry: RestateLimits['retry'] = {},
) {
  const agents = { payer: agent as RestateAgent }
  const made = await restateServices({ Tool, sdk, retry, ...options, ...(agent !== undefined && { agents }) })
  const services = made as unknown as { readonly name: string; readonly handlers: Handlers }[]
  const handlerOf = (service: string, method: string) => {
    const found = services.find(({ name }) => name === service)?.handlers[method]
    if (!found) throw new EngineFailure(`There is no ${service}/${method}.`)
    return found
  }
  const done = new Map<string, Promise<unknown>>()
  const once = (key: string, service: string, method: string, given: unknown): Promise<unknown> => {
    const outcome = done.get(key) ?? handlerOf(service, method)(contextOf({ entries: [] }), plain(given))
    done.set(key, outcome)
    return outcome
  }
  const contextOf = ({ entries }: Journal) => {
    let next = 0
    const enter = (name: string, work: () => Promise<unknown>): Recorded<unknown> => {
      const place = next++
      const before = entries[place]
      if (before && before.name !== name) throw new Error(`Expected ${before.name}, got ${name}.`)
      if (before) return Recorded.of(Promise.resolve(before.value))
      const value = work().then(plain)
      void value.then((recorded) => (entries[place] = { name, value: recorded })).catch(() => undefined)
      return Recorded.of(value)
    }
    return {
      key: 'k',
      request: () => ({ id: 'r', attemptCompletedSignal: new AbortController().signal }),
      run: (
        name: string,
        work: () => Promise<unknown>,
        { maxRetryAttempts }: { maxRetryAttempts?: number },
      ) => enter(name, () => attempted(work, maxRetryAttempts)),
      genericCall: ({ service, method, idempotencyKey = '', parameter }: GenericCall) =>
        Object.assign(
          enter(`call ${method}`, () => once(idempotencyKey, service, method, parameter)),
          { invocationId: Promise.resolve('i') },
        ),
      cancel() {},
    }
  }
  return {
    /** Runs a handler by what its journal has recorded, and goes on from there. */
    handle: <Output>(work: (steps: RestateSteps) => Promise<Output>, journal: Journal = { entries: [] }) =>
      restateHandler({ Tool, sdk, ...options }, work)(contextOf(journal) as never, null),
    /** Runs the agent to its end. */
    run: () => handlerOf('payer', 'run')(contextOf({ entries: [] }), null),
    /** What the server answers to whoever calls a handler over HTTP. */
    ingress: async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const [service = '', method = ''] = new URL(String(url)).pathname.slice(1).split('/')
      init?.signal?.throwIfAborted()
      const key = new Headers(init?.headers).get('idempotency-key') ?? ''
      return Response.json(await once(key, service, method, JSON.parse(String(init?.body))))
    },
  }
}
