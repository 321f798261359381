import {
  type AnyActivity,
  type Call,
  createRegistry,
  type Outcome,
  type Registry,
  type RegistryOptions,
  tool,
} from 'callsheet'

export const number = { type: 'number' }
export const string = { type: 'string' }

/** The Tools that most tests need: one for each declaration of effects, and one that says nothing. */
export const tools = {
  double: tool('double', { n: number, _outputPath: optional(string), _output: number }),
  read: tool('read', { n: number, _outputPath: optional(string), _output: number }, { effects: 'read' }),
  pay: tool('pay', { n: number, _output: number }, { effects: 'write' }),
  note: tool('note', { text: string }),
}

export function optional(schema: object): object {
  return { ...schema, '~optional': true }
}

/** A registry of {@link tools}, or of others, with Activities by name. */
export function registryOf(
  activities: Readonly<Record<string, AnyActivity>>,
  options: RegistryOptions = {},
): Registry & { readonly events: Recorded } {
  const registry = createRegistry({ tools, ...options })
  for (const [name, activity] of Object.entries(activities)) registry.Activity.register(name, activity)
  return { ...registry, events: recorded(registry) }
}

interface Recorded {
  readonly started: { readonly id: string; readonly call: Call }[]
  readonly ended: Outcome[]
}

function recorded({ Tool }: Registry): Recorded {
  const events: Recorded = { started: [], ended: [] }
  Tool.on('call:start', (event) => events.started.push(event))
  Tool.on('call:end', (event) => events.ended.push(event))
  return events
}

/** Waits; with a signal, until it aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** Never settles, whatever the signal says. */
export function deaf(): Promise<never> {
  return new Promise(() => {})
}

/** The error of a promise that is expected to reject. */
export async function rejection(
  work: Promise<unknown>,
): Promise<Error & { code?: string; problems?: unknown[] }> {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('expected a rejection')
}
