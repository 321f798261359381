import { CallsheetError } from '../errors.ts'
import { type FieldRule, mapOf, someText } from '../problems/field-rule.ts'
import { requireArgument } from '../problems/option-problems.ts'
import { briefly } from '../problems/problem.ts'
import type { AnyActivity } from './activity.ts'
import type { ToolEntry } from './tool-entry.ts'

const activityName: FieldRule = [someText[0], "names, such as Activity.declare('search', 'pay')"]

/** Options of `Activity.register`. */
export interface RegisterActivityOptions {
  /** The name of this implementation, if there are several: a policy chooses among them (ACT-5). Default: `default`. */
  readonly variant?: string | undefined
  /** Replaces an earlier registration without a warning, for tests and hot reload. */
  readonly replace?: boolean | undefined
}

/** One registered variant of an Activity. */
export interface RegisteredActivity {
  readonly mode: 'explicit'
  readonly activity: string
  readonly variant: string
  readonly run: AnyActivity
}

/** What runs a Tool's Calls (ACT-3): an Activity, or the model. */
export type Resolution =
  | {
      readonly mode: 'explicit'
      readonly activity: string
      /** False if it is not registered in this process, but by `file`, or in another process. */
      readonly implemented: boolean
      /** The source file that registers it, as far as the generator found one. */
      readonly file?: string
    }
  | {
      readonly mode: 'latent'
      /** The Activity that the Tool names in `_activity` and that is not registered. */
      readonly missing?: string
      /** True if the Tool is latent by omission: it has no `_activity: ''`, and no Activity has its name (ACT-3b). */
      readonly byDefault?: boolean
    }

/** The Activities of one registry by name, each with its variants. */
export class ActivityRegistry {
  readonly #implementations = new Map<string, Map<string, RegisteredActivity>>()
  readonly #declared = new Set<string>()
  readonly #onReplace: (name: string, variant: string) => void

  /** @param onReplace Called when an Activity replaces another one without the option `replace`. */
  constructor(onReplace: (name: string, variant: string) => void) {
    this.#onReplace = onReplace
  }

  get names(): string[] {
    return [...this.#implementations.keys()]
  }

  get(name: string, variant?: string): AnyActivity | undefined {
    return this.registered(name, variant)?.run
  }

  registered(name: string, variant = 'default'): RegisteredActivity | undefined {
    return this.#implementations.get(name)?.get(variant)
  }

  variants(name: string): string[] {
    return [...(this.#implementations.get(name)?.keys() ?? [])]
  }

  /** @throws CallsheetError `invalid_options` for an empty name, an unknown option, or anything but a function. */
  register(name: string, activity: AnyActivity, options: RegisterActivityOptions = {}): void {
    requireArgument('Activity.register', options, mapOf("{ variant: 'a name', replace: true } last"))
    const { variant = 'default', replace = false, ...others } = options
    if (typeof name !== 'string' || name === '') {
      throw new CallsheetError('invalid_options', 'An Activity needs a name: register("search", …).')
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
        `Activity.register("${name}") cannot use ${wrong}. It takes { variant: 'a name', replace: true }.`,
      )
    }
    if (variant === 'latent') {
      throw new CallsheetError(
        'invalid_options',
        'The variant "latent" is the model itself; take another name.',
      )
    }
    const variants = this.#implementations.get(name) ?? new Map<string, RegisteredActivity>()
    const earlier = variants.get(variant)?.run
    variants.set(variant, { mode: 'explicit', activity: name, variant, run: activity })
    this.#implementations.set(name, variants)
    if (earlier && earlier !== activity && !replace) this.#onReplace(name, variant)
  }

  /** Removes one variant, or all of them. @returns false if there was none. */
  unregister(name: string, variant?: string): boolean {
    if (variant === undefined) return this.#implementations.delete(name)
    const variants = this.#implementations.get(name)
    const removed = variants?.delete(variant) ?? false
    if (variants?.size === 0) this.#implementations.delete(name)
    return removed
  }

  /** Returns true if an Activity of the name is registered here, or declared to be registered elsewhere. */
  knows(name: string): boolean {
    return this.#implementations.has(name) || this.#declared.has(name)
  }

  /** Declares that Activities of these names are implemented in another process (ACT-3a). */
  declare(names: Iterable<string>): void {
    for (const name of names) {
      requireArgument('Activity.declare', name, activityName)
      this.#declared.add(name)
    }
  }

  /** Decides what runs a Tool's Calls: the rules of ACT-3, in order. */
  resolve({ facts, isGuest }: Pick<ToolEntry, 'facts' | 'isGuest'>): Resolution {
    if (isGuest) return { mode: 'latent' }
    const wanted = facts.activity ?? facts.name
    if (facts.activity === '') return { mode: 'latent' }
    if (this.#implementations.has(wanted)) return { mode: 'explicit', activity: wanted, implemented: true }
    // An Activity exists, in a file that was not imported: the model must not answer in its place (ACT-3b).
    const { implementedIn: file } = facts
    if (file !== undefined) return { mode: 'explicit', activity: wanted, implemented: false, file }
    if (this.#declared.has(wanted)) return { mode: 'explicit', activity: wanted, implemented: false }
    return facts.activity === undefined
      ? { mode: 'latent', byDefault: true }
      : { mode: 'latent', missing: wanted }
  }
}
