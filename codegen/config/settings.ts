import type { DialectName } from '../../runtime/dialects/dialect-name.ts'
import type { SharedMeta } from '../../runtime/schema/shared-meta.ts'
import type { Budget, ContractException } from './contract-options.ts'

/** How one dialect's composed schema is made and gated. */
export interface DialectSetting {
  readonly dialect: DialectName
  /**
   * `composed`: one schema over all Tools; a passed limit fails generation. `native`: the provider's own tools.
   * `auto` (the default): composed where it fits, native tools where it does not, and it says so.
   */
  readonly mode: 'auto' | 'composed' | 'native'
}

/** What one run of the generator works by: the configuration with every default filled in. */
export interface Settings {
  /** Absolute path of the project folder. */
  readonly root: string
  /** Folders or files with definitions, relative to `root`. */
  readonly definitions: readonly string[]
  /** Output folder, relative to `root`. */
  readonly output: string
  /** The output folders of the configuration's other sets, relative to `root`. */
  readonly otherOutputs: readonly string[]
  /** Folder of the implementations, relative to `root`: where `scaffold` writes and looks. */
  readonly activitiesFolder: string
  /** Tools whose Activities are implemented elsewhere (ACT-3a): by the Tool's own name, or those listed. */
  readonly activities: 'same-name' | readonly string[] | undefined
  /** Meta-fields that many Tools share (TOOL-10). */
  readonly meta: SharedMeta
  readonly dialects: readonly DialectSetting[]
  /** The extension that relative imports in generated files carry. */
  readonly importExtension: '.js' | '.ts' | ''
  /** Types go into a declaration file with a map, which leads editors to the definitions (TYPE-8). */
  readonly declarationMaps: boolean
  /** Where `_output` stands in a composed branch (REQ-2). */
  readonly outputPosition: 'last' | 'meta'
  /** `omit` leaves `_output` out of the branches of Tools that have an Activity (REQ-2). */
  readonly explicitOutput: 'keep' | 'omit'
  /** Whether parameters in composed branches admit References (REF-5). */
  readonly references: 'auto' | 'deep' | 'none'
  /** Changes of the contract that somebody answers for (DIFF-4). */
  readonly exceptions: readonly ContractException[]
  /** What the Tools may weigh (DIFF-6). */
  readonly budget: Budget
}
