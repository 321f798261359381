import type { DialectName } from '../../runtime/dialects/dialect-name.ts'
import type { SharedMeta } from '../../runtime/schema/shared-meta.ts'
import type { Budget, ContractException } from './contract-options.ts'

/** How the schema of one dialect is generated. */
export interface DialectSetting {
  readonly dialect: DialectName
  /**
   * `composed`: one schema over all Tools; exceeding a limit fails generation. `native`: the provider's own tools.
   * `auto` (the default): composed if it fits the limits, otherwise native tools and a note.
   */
  readonly mode: 'auto' | 'composed' | 'native'
}

/** The configuration of one set, with every default filled in. */
export interface Settings {
  /** Absolute path of the project folder. */
  readonly root: string
  /** Folders or files with definitions, relative to `root`. */
  readonly definitions: readonly string[]
  /** Output folder, relative to `root`. */
  readonly output: string
  /** The output folders of the configuration's other sets, relative to `root`. */
  readonly otherOutputs: readonly string[]
  /** Folder of the implementations, relative to `root`, which `scaffold` writes and searches. */
  readonly activitiesFolder: string
  /** Tools whose Activities are implemented elsewhere (ACT-3a): by the Tool's own name, or those listed. */
  readonly activities: 'same-name' | readonly string[] | undefined
  /** Meta-fields that many Tools share (TOOL-10). */
  readonly meta: SharedMeta
  readonly dialects: readonly DialectSetting[]
  /** The extension of relative imports in generated files. */
  readonly importExtension: '.js' | '.ts' | ''
  /** Writes the types as a declaration file with a map, which leads editors to the definitions (TYPE-8). */
  readonly declarationMaps: boolean
  /** The position of `_output` in a composed branch (REQ-2). */
  readonly outputPosition: 'last' | 'meta'
  /** `omit` leaves `_output` out of the branches of Tools that have an Activity (REQ-2). */
  readonly explicitOutput: 'keep' | 'omit'
  /** Which parameters in composed branches accept References (REF-5). */
  readonly references: 'auto' | 'deep' | 'none'
  /** Accepted changes of the contract (DIFF-4). */
  readonly exceptions: readonly ContractException[]
  /** Size limits of the Tools (DIFF-6). */
  readonly budget: Budget
}
