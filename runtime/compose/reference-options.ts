import type { Message } from '../context/message.ts'
import { own } from '../json/json.ts'
import { fixedValue } from '../schema/fixed-value.ts'
import { requireJsonSchema } from '../schema/require-json-schema.ts'
import type { Schema } from '../schema/schema.ts'
import { ReferenceAdmission, type ReferenceMode, referenceName } from './admit-references.ts'
import type { ComposableTool } from './composable.ts'
import { knownDefinitions, localDefinitions } from './definitions.ts'
import { readableValues } from './readable.ts'
import { ReadableValues } from './readable-values.ts'

/** Options for References in a composed schema. */
export interface ReferenceOptions {
  /**
   * Which parameters admit References (REF-5). `auto`, the default: those that some readable value could fit. `deep`: nested
   * values too. `none`: no parameter. A Tool or parameter with `references: false` never admits them.
   */
  readonly references?: ReferenceMode | undefined
  /** The context before the first Call, whose data can be read. */
  readonly context?: readonly Message[] | undefined
  /** The schemas that the project declares with `defineContext`, by kind. */
  readonly kinds?: Readonly<Record<string, Schema | object | undefined>> | undefined
}

/** Decides which Tools of a set admit References, and for which parameters. */
export class References {
  readonly #mode: ReferenceMode
  readonly #readable: ReadableValues
  readonly #name: string
  readonly #shared: Readonly<Record<string, Schema>>

  constructor(
    tools: readonly ComposableTool[],
    options: ReferenceOptions & { readonly definitions?: Readonly<Record<string, Schema>> | undefined },
  ) {
    const { references = 'auto', context, kinds = {}, definitions = {} } = options
    for (const [kind, schema = true] of Object.entries(kinds)) requireJsonSchema(schema, kind)
    this.#mode = references
    this.#shared = definitions
    this.#readable = references === 'none' ? nothing : readableValues({ tools, context, kinds, definitions })
    const taken = tools.flatMap((tool) => Object.keys(localDefinitions(tool)))
    this.#name = referenceName([...taken, ...Object.keys(definitions)])
  }

  /** True if a Tool's Calls may contain References. */
  isOffered(tool: ComposableTool): boolean {
    return !this.#readable.isEmpty && mayRead(tool)
  }

  /** Returns the rules for the parameters of one Tool. */
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

/** A Tool whose fixed scopes are empty can read nothing (REF-1a). */
function mayRead({ schema }: ComposableTool): boolean {
  const scopes = fixedValue(own(schema.properties ?? {}, '_scopes'))
  return schema.references !== false && !(Array.isArray(scopes) && scopes.length === 0)
}
