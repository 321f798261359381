import type { Message } from '../context/message.ts'
import { own } from '../json/json.ts'
import { fixedValue } from '../schema/fixed-value.ts'
import type { Schema } from '../schema/schema.ts'
import { ReferenceAdmission, type ReferenceMode, referenceName } from './admit-references.ts'
import type { ComposableTool } from './composable.ts'
import { knownDefinitions, localDefinitions } from './definitions.ts'
import { readableValues } from './readable.ts'
import { ReadableValues } from './readable-values.ts'

/** Says where References go in a composed schema. */
export interface ReferenceOptions {
  /**
   * Whether parameters admit References (REF-5): `auto`, the default, where some value that can be read could fit;
   * `deep` in nested values too; `none` nowhere. A Tool or a parameter with `references: false` never does.
   */
  readonly references?: ReferenceMode | undefined
  /** What the context holds before the first Call: its data can be read. */
  readonly context?: readonly Message[] | undefined
  /** What the project declares of its contexts, as given to `defineContext`. */
  readonly kinds?: Readonly<Record<string, Schema | object | undefined>> | undefined
}

/** Decides which Tools of one set admit References, and to values of which types. */
export class References {
  readonly #mode: ReferenceMode
  readonly #readable: ReadableValues
  readonly #name: string
  readonly #shared: Readonly<Record<string, Schema>>

  constructor(
    tools: readonly ComposableTool[],
    options: ReferenceOptions & { readonly definitions?: Readonly<Record<string, Schema>> | undefined },
  ) {
    const { references = 'auto', context, kinds, definitions = {} } = options
    this.#mode = references
    this.#shared = definitions
    this.#readable = references === 'none' ? nothing : readableValues({ tools, context, kinds, definitions })
    const taken = tools.flatMap((tool) => Object.keys(localDefinitions(tool)))
    this.#name = referenceName([...taken, ...Object.keys(definitions)])
  }

  /** True when a Tool's Calls may hold References to something. */
  isOffered(tool: ComposableTool): boolean {
    return !this.#readable.isEmpty && mayRead(tool)
  }

  /** What the parameters of one Tool admit. */
  of(tool: ComposableTool): ReferenceAdmission {
    const readable = mayRead(tool) ? this.#readable : nothing
    return new ReferenceAdmission({
      mode: this.#mode,
      readable,
      name: this.#name,
      definitions: knownDefinitions(tool, this.#shared),
    })
  }
}

const nothing = new ReadableValues()

/** A Tool that fixes its scopes to nothing reads nothing (REF-1a). */
function mayRead({ schema }: ComposableTool): boolean {
  const scopes = fixedValue(own(schema.properties ?? {}, '_scopes'))
  return schema.references !== false && !(Array.isArray(scopes) && scopes.length === 0)
}
