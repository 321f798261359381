import { CallsheetError } from '../errors.ts'
import { briefly } from '../problems/problem.ts'
import type { AnyActivity } from './activity.ts'
import type { ToolEntry } from './tool-entry.ts'

/** Options of `Activity.register`. */
export interface RegisterActivityOptions {
  /** One of several implementations; a policy chooses among them (ACT-5). `default` unless said. */
  readonly variant?: string
}

/** How a Tool's Calls run (ACT-3): by an Activity, or by the model. */
export type Resolution =
  | { readonly mode: 'explicit'; readonly activity: string; readonly implemented: boolean }
  | { readonly mode: 'latent'; readonly missing?: string }

/** The Activities of one registry by name, each with its variants. */
export class ActivityRegistry {
  readonly #implementations = new Map<string, Map<string, AnyActivity>>()
  readonly #declared = new Set<string>()

  get names(): string[] {
    return [...this.#implementations.keys()]
  }

  get(name: string, variant = 'default'): AnyActivity | undefined {
    return this.#implementations.get(name)?.get(variant)
  }

  variants(name: string): string[] {
    return [...(this.#implementations.get(name)?.keys() ?? [])]
  }

  /** @throws CallsheetError `invalid_options` when the name is empty or what is registered is not a function. */
  register(name: string, activity: AnyActivity, options: RegisterActivityOptions = {}): void {
    const { variant = 'default', ...others } = options
    if (typeof name !== 'string' || name === '') {
      throw new CallsheetError(
        'invalid_options',
        'An Activity needs a name, such as Activity.register("search", …).',
      )
    }
    if (typeof activity !== 'function') {
      throw new CallsheetError(
        'invalid_options',
        `Activity "${name}" is not a function: got ${typeof activity}.`,
      )
    }
    const [unknown] = Object.keys(others)
    if (unknown !== undefined || typeof variant !== 'string' || variant === '') {
      const wrong =
        unknown === undefined ? `the variant ${briefly(variant)}` : `the option ${briefly(unknown)}`
      throw new CallsheetError(
        'invalid_options',
        `Activity.register("${name}") cannot use ${wrong}. It takes { variant: 'a name' }.`,
      )
    }
    if (variant === 'latent') {
      throw new CallsheetError(
        'invalid_options',
        'The variant name "latent" stands for the model itself; take another.',
      )
    }
    const variants = this.#implementations.get(name) ?? new Map<string, AnyActivity>()
    this.#implementations.set(name, variants.set(variant, activity))
  }

  /** Takes one variant off, or all of them. @returns false when there was none. */
  unregister(name: string, variant?: string): boolean {
    if (variant === undefined) return this.#implementations.delete(name)
    const variants = this.#implementations.get(name)
    const removed = variants?.delete(variant) ?? false
    if (variants?.size === 0) this.#implementations.delete(name)
    return removed
  }

  /** Whether an Activity of the name is registered here, or declared to be elsewhere. */
  knows(name: string): boolean {
    return this.#implementations.has(name) || this.#declared.has(name)
  }

  /** Says that Activities of these names are implemented elsewhere (ACT-3a). */
  declare(names: Iterable<string>): void {
    for (const name of names) this.#declared.add(name)
  }

  /** Which implementation a Tool's Calls get, by the rules of ACT-3 in order. */
  resolve({ facts, isGuest }: Pick<ToolEntry, 'facts' | 'isGuest'>): Resolution {
    if (isGuest) return { mode: 'latent' }
    const wanted = facts.activity ?? facts.name
    if (facts.activity === '') return { mode: 'latent' }
    if (this.#implementations.has(wanted)) return { mode: 'explicit', activity: wanted, implemented: true }
    if (this.#declared.has(wanted)) return { mode: 'explicit', activity: wanted, implemented: false }
    return facts.activity === undefined ? { mode: 'latent' } : { mode: 'latent', missing: wanted }
  }
}
