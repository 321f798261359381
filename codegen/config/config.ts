import type { DialectName } from '../../runtime/dialects/dialect-name.ts'
import type { SharedMeta } from '../../runtime/schema/shared-meta.ts'
import type { Budget, ContractException } from './contract-options.ts'
import type { DialectSetting } from './settings.ts'

/** Options of one set of definitions. Every option has a default that suits a project of one package. */
export interface DefinitionSet {
  /**
   * Folders or files that declare the Tools, relative to the configuration file. Default: `definitions`.
   *
   * @example ['definitions', 'shared/tools.ts']
   */
  readonly definitions?: string | readonly string[] | undefined
  /** The folder to generate into, relative to the configuration file. Default: `generated`. */
  readonly output?: string | undefined
  /**
   * Tools whose Activities run elsewhere: in another package, or in a remote worker. The composed schema treats them as
   * explicit. `'same-name'` stands for all Tools; a list names single ones. Default: none.
   */
  readonly activities?: 'same-name' | readonly string[] | undefined
  /**
   * Meta-fields that all Tools share, or the Tools whose names match `tools`. A Tool's own declaration takes precedence.
   * `true` lets a Call set the field, a string fixes its value, and a schema restricts the values that a Call may set.
   *
   * @example [{ _outputPath: true }, { tools: 'mail.*', _instance: { type: 'string' } }]
   */
  readonly meta?: SharedMeta | undefined
  /**
   * The folder in which `callsheet scaffold` writes and searches implementations, relative to the configuration file.
   * Default: `activities`, next to the output folder.
   */
  readonly activitiesFolder?: string | undefined
  /**
   * The dialects to generate the schema for: names, or names with a mode. Default: `json-schema` and `openai`, mode `auto`.
   *
   * @example ['json-schema', { dialect: 'openai', mode: 'composed' }]
   */
  readonly dialects?: readonly (DialectName | DialectChoice)[] | undefined
  /**
   * The extension of relative imports in generated files. Default: what `tsconfig.json` requires: `.ts` if it allows
   * importing `.ts`, none under `moduleResolution: "bundler"`, otherwise `.js`.
   */
  readonly importExtension?: '.js' | '.ts' | '' | undefined
  /**
   * Makes "go to definition" on `calls.name`, `_tool` and parameters open the definition instead of the generated type.
   * The types are then a declaration file, `types.d.ts`, with a source map; a package that `tsc` builds has to copy both
   * into its output. Default: false.
   */
  readonly declarationMaps?: boolean | undefined
  /** The position of `_output` in a branch of the composed schema: last, or among the meta-fields. Default: `last`. */
  readonly outputPosition?: 'last' | 'meta' | undefined
  /** `omit` leaves `_output` out of the branches of Tools with an Activity; `keep` lets the model predict it. Default: `omit`. */
  readonly explicitOutput?: 'keep' | 'omit' | undefined
  /**
   * Which parameters accept References in the composed schema: `auto` those that a readable value could fit, `deep` also
   * nested values, `none` no parameter. Default: `auto`.
   */
  readonly references?: 'auto' | 'deep' | 'none' | undefined
  /**
   * Changes that `callsheet diff` accepts, each with a reason. An exception goes stale once the contract that `diff`
   * compares with contains the change; `diff` then reports that it can be removed.
   *
   * @example [{ change: 'wire:weatherCheck/units:1f0c2a9b', reason: 'Nobody sent units; agreed with the agent team.' }]
   */
  readonly exceptions?: readonly ContractException[] | undefined
  /**
   * Limits for the size of the Tools: figures, and a file of figures that may only fall. `lint` and `generate --check`
   * report each exceeded limit with the largest Tools. Default: no limit.
   *
   * @example { toolTokens: 400, dialects: { openai: { tokens: 8000 } }, ratchet: 'callsheet.budget.json' }
   */
  readonly budget?: Budget | undefined
}

/** A dialect with its mode, `auto` if absent: see {@link DialectSetting}. */
export interface DialectChoice {
  readonly dialect: DialectName
  readonly mode?: DialectSetting['mode'] | undefined
}

/** The whole configuration: one set of definitions, or several that generate into a folder each. */
export interface Config extends DefinitionSet {
  /**
   * Several independent sets of definitions in one project. Options next to `sets` are the defaults of each set, except
   * `definitions` and `output`, which every set needs itself.
   *
   * @example [{ definitions: 'mail/tools', output: 'mail/generated' }, { definitions: 'shop/tools', output: 'shop/generated' }]
   */
  readonly sets?: readonly DefinitionSet[] | undefined
}

/**
 * Gives `callsheet.config.ts` the type of a configuration. Returns its argument unchanged.
 *
 * @example
 * import { defineConfig } from 'callsheet/codegen'
 *
 * export default defineConfig({ definitions: 'tools', output: 'src/generated', dialects: ['openai'] })
 */
export function defineConfig(config: Config): Config {
  return config
}
