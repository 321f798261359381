import type { Message } from './message.ts'
import type { Path } from './reference.ts'

/** How executed Calls look into a context, whether it is an array of Messages or an indexed one. */
export interface Reader {
  readonly messages: readonly Message[]
  /** The value at a path, as the instance sees it: not copied, undefined when it is not there. */
  read(path: Path, instance?: string): unknown
  /** Whether any Message belongs to the instance. */
  hasInstance(instance: string): boolean
  /** The instances of the context, in the order in which they first appear (INST-3). */
  instances(): readonly string[]
}

/** What a Context of this package can do beyond what users see of it. */
export interface ContextInternals {
  /** Reads by an index, whose list of Messages may be made when it is looked at. */
  readonly reader: Reader
  /** Appends a list: an argument for each of its Messages would overflow the stack at 100,000. */
  readonly append?: (messages: readonly Message[]) => void
}

/** The internals of each Context that this package made. */
export const contextInternals: WeakMap<object, ContextInternals> = new WeakMap()
