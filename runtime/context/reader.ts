import type { CopiedData } from './copied-data.ts'
import type { Message } from './message.ts'
import type { Path } from './reference.ts'

/** Reads a context on behalf of Calls, whether it is an array of Messages or an indexed Context. */
export interface Reader {
  readonly messages: readonly Message[]
  /** Returns the value at a path as the instance sees it: not copied, undefined if absent. */
  read(path: Path, instance?: string): unknown
  /** Returns true if any Message belongs to the instance. */
  hasInstance(instance: string): boolean
  /** Returns the instances of the context, in the order of their first appearance (INST-3). */
  instances(): readonly string[]
  /** Counts what the Calls that run together copy out of the context. */
  readonly copied?: Pick<CopiedData, 'add'> | undefined
}

/** Internal operations of a Context of this package. */
export interface ContextInternals {
  /** Reads through an index, which is built on first use. */
  readonly reader: Reader
  /** Appends an array: as separate arguments, 100,000 Messages would overflow the stack. */
  readonly append?: (messages: readonly Message[]) => void
}

/** The internals of each Context that this package made. */
export const contextInternals: WeakMap<object, ContextInternals> = new WeakMap()
