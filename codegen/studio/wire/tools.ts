import type { Loss, StandIn } from '../../../runtime/lower/losses.ts'
import type { ToolLabel } from '../../../runtime/schema/tool-label.ts'
import type { Field } from '../form/field.ts'

/** The overview of the project that the page shows first. */
export interface StudioInfo {
  /** Where Calls run: the project's folder, or the address of a server. */
  readonly place: string
  readonly isRemote: boolean
  readonly tools: readonly ToolLine[]
  /** Dialects that the project is configured for, and all that there are. */
  readonly dialects: { readonly configured: readonly string[]; readonly all: readonly string[] }
  readonly hasTokens: boolean
  /** The folder with recorded runs; absent if none was given. */
  readonly runsFolder?: string
}

/** A Tool in the list. */
export interface ToolLine extends ToolLabel {
  readonly name: string
  /** Its Calls are answered by a model. */
  readonly isLatent: boolean
}

/** All that is shown of one Tool. */
export interface ToolDetail extends ToolLine {
  readonly form: Field
  /** The fields that the form refers to. */
  readonly definitions: Readonly<Record<string, Field>>
  /** The Tool's schema as it was declared. */
  readonly schema: unknown
  readonly outputSchema?: unknown
  /** Calls without `_tool`. */
  readonly examples: readonly Readonly<Record<string, unknown>>[]
}

/** A Tool as one dialect carries it. */
export interface DialectView {
  readonly dialect: string
  readonly schema: unknown
  /** UTF-8 bytes as they are sent. */
  readonly bytes: number
  readonly tokens?: number
  readonly losses: readonly Loss[]
  readonly standIns: readonly StandIn[]
  /** Why the dialect cannot say the Tool. */
  readonly unsupported?: string
}

/** Something that happened while a Call ran; `at` in milliseconds since its start. */
export interface CallHappening {
  readonly event: 'start' | 'progress' | 'retry' | 'missing' | 'latent' | 'end'
  readonly at: number
  readonly data?: unknown
}
