import type { BranchOptions } from './branch.ts'
import type { ReferenceOptions } from './reference-options.ts'

/** How a registry's Tools are composed, unless a Request overrides it (REQ-14). */
export interface CompositionOptions
  extends Pick<BranchOptions, 'outputPosition' | 'explicitOutput'>,
    Pick<ReferenceOptions, 'references' | 'kinds'> {
  /** `kinds` and the definitions they reference, as JSON text that is parsed on first use. */
  readonly contextText?: string | undefined
}
