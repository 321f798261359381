import { CallsheetError } from '../errors.ts'
import { type FieldRule, mapOf, someText } from '../problems/field-rule.ts'
import { requireArgument } from '../problems/option-problems.ts'
import { briefly } from '../problems/problem.ts'
import type { AnyActivity } from './activity.ts'
import type { ToolEntry } from './tool-entry.ts'

const activityName: FieldRule = [someText[0], "names, such as Activity.declare('search', 'pay')"]

/** Options of `Activity.register`. */
export interface RegisterActivityOptions {
  /** One of several implementations; a policy chooses among them (ACT-5). `default` by default. */
  readonly variant?: string | undefined
  /** Takes the place of what was registered under the name without a warning, as tests and hot reload want it. */
  readonly replace?: boolean | undefined
}

/** One variant of an Activity, in the form in which it runs Calls. */
export interface RegisteredActivity {
  readonly mode: 'explicit'
  readonly activity: string
  readonly variant: string
  readonly run: AnyActivity
}

/** How a Tool's Calls run (ACT-3): by an Activity, or by the model. */
export type Resolution =
  | {
      readonly mode: 'explicit'
      readonly activity: string
      /** False where it is registered elsewhere: by the file, or by nobody knows whom. */
      readonly implemented: boolean
      readonly file?: string
    }
  | {
      readonly mode: 'latent'
      /** The Activity that the Tool names, and that nobody registered. */
      readonly missing?: string
      /** Only because nothing says otherwise: no `_activity: ''`, and no Activity of the Tool's name (ACT-3b). */
      readonly byDefault?: boolean
    }

/** The Activities of one registry by name, each with its variants. */
export class ActivityRegistry {
  readonly #implementations = new Map<string, Map<string, RegisteredActivity>>()
  readonly #declared = new Set<string>()
  readonly #onReplace: (name: string, variant: string) => void

  /** @param onReplace Told of an Activity that takes the place of another one, unless that is said to be meant. */
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

  /** @throws CallsheetError `invalid_options` when the name is empty or what is registered is not a function. */
  register(name: string, activity: AnyActivity, options: RegisterActivityOptions = {}): void {
    requireArgument('Activity.register', options, mapOf("{ variant: 'a name', replace: true } last"))
    const { variant = 'default', replace = false, ...others } = options
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
    for (const name of names) {
      requireArgument('Activity.declare', name, activityName)
      this.#declared.add(name)
    }
  }

  /** Which implementation a Tool's Calls get, by the rules of ACT-3 in order. */
  resolve({ facts, isGuest }: Pick<ToolEntry, 'facts' | 'isGuest'>): Resolution {
    if (isGuest) return { mode: 'latent' }
    const wanted = facts.activity ?? facts.name
    if (facts.activity === '') return { mode: 'latent' }
    if (this.#implementations.has(wanted)) return { mode: 'explicit', activity: wanted, implemented: true }
    // Somebody registers it, and must not be imagined where that file was not imported (ACT-3b).
    const { implementedIn: file } = facts
    if (file !== undefined) return { mode: 'explicit', activity: wanted, implemented: false, file }
    if (this.#declared.has(wanted)) return { mode: 'explicit', activity: wanted, implemented: false }
    return facts.activity === undefined
      ? { mode: 'latent', byDefault: true }
      : { mode: 'latent', missing: wanted }
  }
}
