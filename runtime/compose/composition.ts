import type { BranchOptions } from './branch.ts'
import type { ReferenceOptions } from './reference-options.ts'

/** How a registry's Tools are composed, unless a Request says otherwise (REQ-14). */
export interface CompositionOptions
  extends Pick<BranchOptions, 'outputPosition' | 'explicitOutput'>,
    Pick<ReferenceOptions, 'references' | 'kinds'> {
  /** `kinds`, with the definitions that they refer to, as JSON text that is parsed when it is first needed. */
  readonly contextText?: string | undefined
}
