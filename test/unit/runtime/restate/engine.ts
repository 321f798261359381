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

interface Entry {
  readonly name: string
  value?: unknown
  /** When it ended, among the others; not yet without. */
  rank?: number
}

/** What an invocation has recorded: its entries in their order, and in which order they ended. */
export class Journal {
  readonly entries: Entry[] = []
  ended = 0
}

/** One process that an invocation lives in. */
class Life {
  #left: number
  #die: () => void = () => {}
  readonly died = new Promise<void>((resolve) => {
    this.#die = resolve
  })

  /** @param left How much it does before it dies. */
  constructor(left: number) {
    this.#left = left
  }

  /** Whether it is still there to do one more thing. */
  goesOn(): boolean {
    if (this.#left-- > 0) return true
    this.#die()
    return false
  }
}

/** What somebody gives from outside. */
class Given {
  value: unknown
  #resolve: (value: unknown) => void = () => {}
  readonly told = new Promise<unknown>((resolve) => {
    this.#resolve = resolve
  })

  give(value: unknown): void {
    this.value = value
    this.#resolve(value)
  }
}

/** What was recorded before, and after how many things that they did processes die. */
interface Lives {
  readonly journal?: Journal
  readonly deaths?: readonly number[]
}

type Handlers = Record<string, (ctx: object, given: unknown) => Promise<unknown>>

interface GenericCall {
  readonly service: string
  readonly method: string
  readonly idempotencyKey?: string
  readonly parameter: unknown
}

/** What ends an invocation for good. */
export class EngineFailure extends Error {}
class CancelledError extends EngineFailure {}

/** A promise as the SDK has them: it knows when its entry ended. */
class Recorded<Value> extends Promise<Value> {
  entry: Entry | undefined

  map<Mapped>(mapper: (value?: Value, failure?: unknown) => Mapped): Recorded<Mapped> {
    const mapped = this.then(
      (value) => mapper(value),
      (failure) => mapper(undefined, failure),
    )
    return Recorded.of(mapped, this.entry)
  }

  static of<Value>(promise: Promise<Value>, entry: Entry | undefined): Recorded<Value> {
    const made = new Recorded<Value>((resolve, reject) => void promise.then(resolve, reject))
    made.entry = entry
    return made
  }
}

/** The first that ended by the journal, whoever is told of it first. */
async function race(promises: readonly Recorded<unknown>[]): Promise<unknown> {
  await Promise.race(promises)
  const rankOf = ({ entry }: Recorded<unknown>): number => entry?.rank ?? Number.POSITIVE_INFINITY
  return promises.reduce((first, each) => (rankOf(each) < rankOf(first) ? each : first))
}

const sdk = {
  TerminalError: EngineFailure,
  CancelledError,
  RestatePromise: {
    race: (promises: Recorded<unknown>[]) => Recorded.of(race(promises), undefined),
  },
  service: (definition: object) => definition,
  workflow: (definition: object) => definition,
} as unknown as RestateSdk

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

interface EngineOptions extends Partial<RestateStepOptions> {
  readonly agent?: unknown
  /** The registry of a later deployment, which serves the Activities. */
  readonly deployed?: RestateTools
}

/** Services and handlers on Restate without a server: entries go through a journal, and calls reach their handler at once. */
export async function restateOf(
  Tool: RestateTools,
  { agent, deployed, ...options }: EngineOptions = {},
  retry: RestateLimits['retry'] = {},
) {
  const agents = { payer: agent as RestateAgent }
  const made = await restateServices({ Tool, sdk, retry, ...options, ...(agent !== undefined && { agents }) })
  const later = deployed ? await restateServices({ Tool: deployed, sdk, retry }) : []
  const services = [...later, ...made] as unknown as { readonly name: string; readonly handlers: Handlers }[]
  const handlerOf = (service: string, method: string) => {
    const found = services.find(({ name }) => name === service)?.handlers[method]
    if (!found) throw new EngineFailure(`There is no ${service}/${method}.`)
    return found
  }
  const done = new Map<string, Promise<unknown>>()
  const once = (key: string, service: string, method: string, given: unknown): Promise<unknown> => {
    const outcome = done.get(key) ?? handlerOf(service, method)(contextOf(new Journal()), plain(given))
    done.set(key, outcome)
    return outcome
  }
  const state = new Map<string, unknown>()
  const promises = new Map<string, Given>()
  const promiseOf = (name: string): Given => {
    const known = promises.get(name) ?? new Given()
    promises.set(name, known)
    return known
  }
  const contextOf = (journal: Journal, life = new Life(Number.POSITIVE_INFINITY)) => {
    let next = 0
    const enter = (name: string, work: () => Promise<unknown>): Recorded<unknown> => {
      const place = next++
      const entry = journal.entries[place] ?? { name }
      if (entry.name !== name)
        throw new Error(`The journal has ${entry.name}, and the handler enters ${name}.`)
      if (entry.rank !== undefined) return Recorded.of(Promise.resolve(entry.value), entry)
      const never = new Promise<unknown>(() => {})
      if (!life.goesOn()) return Recorded.of(never, entry)
      journal.entries[place] = entry
      const ended = work().then((value) => {
        if (!life.goesOn()) return never
        entry.value = plain(value)
        entry.rank = journal.ended++
        return entry.value
      })
      return Recorded.of(ended, entry)
    }
    return {
      key: 'k',
      request: () => ({ id: 'r', attemptCompletedSignal: new AbortController().signal }),
      run: (
        name: string,
        work: () => Promise<unknown>,
        { maxRetryAttempts }: { maxRetryAttempts?: number } = {},
      ) => enter(name, () => attempted(work, maxRetryAttempts)),
      genericCall: ({ service, method, idempotencyKey = '', parameter }: GenericCall) =>
        Object.assign(
          enter(`call ${method}`, () => once(idempotencyKey, service, method, parameter)),
          { invocationId: Promise.resolve('i') },
        ),
      cancel() {},
      set: (name: string, value: unknown) => void state.set(name, plain(value)),
      get: async (name: string) => state.get(name) ?? null,
      clear: (name: string) => void state.delete(name),
      awakeable: () => {
        const id = `awakeable ${next}`
        return { id, promise: enter(id, () => promiseOf(id).told) }
      },
      promise: (name: string) => ({
        peek: async () => promises.get(name)?.value,
        resolve: async (value: unknown) => promiseOf(name).give(value),
        get: () => enter(`promise ${name}`, () => promiseOf(name).told),
      }),
    }
  }
  /** Works in as many processes as it takes: each dies after so many things that it did, but for the last. */
  const survive = async <Output>(
    work: (ctx: object) => Promise<Output>,
    { journal = new Journal(), deaths = [] }: Lives,
  ): Promise<Output> => {
    for (const left of deaths) {
      const life = new Life(left)
      const end = await Promise.race([
        work(contextOf(journal, life)).then((output) => ({ output })),
        life.died,
      ])
      if (end) return end.output
    }
    return work(contextOf(journal))
  }
  return {
    /** Runs a handler by what its journal has recorded, and goes on from there. */
    handle: <Output>(work: (steps: RestateSteps) => Promise<Output>, lives: Lives = {}) => {
      const handler = restateHandler({ Tool, sdk, ...options }, work)
      return survive((ctx) => handler(ctx as never, null), lives)
    },
    /** Runs the agent to its end. */
    run: (lives: Lives = {}): Promise<unknown> =>
      survive((ctx) => handlerOf('payer', 'run')(ctx, null), lives),
    /** Asks another handler of the agent. */
    ask: (method: 'approvals' | 'decide', given?: unknown) =>
      handlerOf('payer', method)(contextOf(new Journal()), given),
    /** Answers an awakeable. */
    resolve: (id: string, value: unknown) => promiseOf(id).give(value),
    /** What the server answers to whoever calls a handler over HTTP. */
    ingress: async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const [service = '', method = ''] = new URL(String(url)).pathname.slice(1).split('/')
      init?.signal?.throwIfAborted()
      const key = new Headers(init?.headers).get('idempotency-key') ?? ''
      return Response.json(await once(key, service, method, JSON.parse(String(init?.body))))
    },
  }
}
