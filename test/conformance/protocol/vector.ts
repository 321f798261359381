import { readFileSync } from 'node:fs'
import { type AnyActivity, type Call, type Message, message, type RegistryOptions } from 'callsheet'

/** One language-neutral case; `test/conformance/vectors/README.md` says what each key means. */
export interface Vector {
  readonly rule: string
  readonly name: string
  readonly tools?: Readonly<Record<string, object>>
  readonly activities?: Readonly<Record<string, FakeActivity>>
  readonly options?: RegistryOptions
  readonly context?: readonly Message[]
  readonly call?: Call
  readonly callText?: string
  readonly calls?: readonly Call[]
  readonly strategy?: 'all' | 'any' | 'race'
  readonly allowEffects?: boolean
  readonly read?: string
  readonly text?: string
  readonly tool?: string
  readonly params?: readonly string[]
  readonly want: unknown
}

/** An Activity as data. */
interface FakeActivity {
  readonly return?: unknown
  readonly returnParam?: string
  readonly throw?: { readonly message: string; readonly code?: string }
  readonly message?: Message
  readonly sleep?: number
  readonly sleepParam?: string
  readonly deaf?: boolean
  readonly mutateParam?: string
}

/** What the Activities of one case went through. */
export interface Witness {
  readonly ran: string[]
  readonly aborted: string[]
  readonly seen: { call: Call; context: readonly Message[] }[]
}

export function vectorsOf(file: string): Vector[] {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}.json`, import.meta.url), 'utf8'))
}

/** Makes a real Activity of a fake one. */
export function activityOf(name: string, fake: FakeActivity, witness: Witness): AnyActivity {
  return async (call, _tool, context, run) => {
    witness.ran.push(name)
    witness.seen.push(structuredClone({ call, context }))
    const milliseconds = fake.sleepParam === undefined ? fake.sleep : call[fake.sleepParam]
    if (milliseconds)
      await sleep(milliseconds, fake.deaf ? undefined : run.signal, () => witness.aborted.push(name))
    if (fake.mutateParam) mutate(call[fake.mutateParam])
    if (fake.throw) throw Object.assign(new Error(fake.throw.message), fake.throw)
    if (fake.message) return message(fake.message)
    return fake.returnParam === undefined ? fake.return : call[fake.returnParam]
  }
}

function sleep(milliseconds: number, signal: AbortSignal | undefined, onAbort: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      onAbort()
      resolve()
    })
  })
}

function mutate(value: unknown): void {
  if (Array.isArray(value)) value.push('mutated')
  else if (typeof value === 'object' && value !== null) Object.assign(value, { mutated: true })
}
