import type { DialectName } from '../../runtime/dialects/dialect-name.ts'
import type { SharedMeta } from '../../runtime/schema/shared-meta.ts'
import type { Budget, ContractException } from './contract-options.ts'
import type { DialectSetting } from './settings.ts'

/** What can be said for each set of definitions. Every option has a default that suits a project of one package. */
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
   * Tools whose Activities run elsewhere (another package, a remote worker), so that they compose as explicit here:
   * `'same-name'` for all of them, or their names. Default: none.
   */
  readonly activities?: 'same-name' | readonly string[] | undefined
  /**
   * Meta-fields that all Tools share, or those whose names match; a Tool's own word stands over them. `true` lets a Call
   * say the field, a text is the Tools' own word, a schema says which values a Call may give.
   *
   * @example [{ _outputPath: true }, { tools: 'mail.*', _instance: { type: 'string' } }]
   */
  readonly meta?: SharedMeta | undefined
  /**
   * The folder in which `callsheet scaffold` writes implementations and looks for them, relative to the configuration
   * file. Default: `activities`, beside the output folder.
   */
  readonly activitiesFolder?: string | undefined
  /**
   * The dialects to compose the schema in, by name or with the mode. Default: `json-schema` and `openai`, mode `auto`.
   *
   * @example ['json-schema', { dialect: 'openai', mode: 'composed' }]
   */
  readonly dialects?: readonly (DialectName | DialectChoice)[] | undefined
  /**
   * The extension of relative imports in generated files. Default: what `tsconfig.json` asks for; `.ts` where it allows
   * importing `.ts`, none under `moduleResolution: "bundler"`, else `.js`.
   */
  readonly importExtension?: '.js' | '.ts' | '' | undefined
  /**
   * Leads editors to the definitions: "go to definition" on `calls.name`, on `_tool` and on a parameter. The types are
   * then a declaration file, `types.d.ts`, with a map; a package that `tsc` builds has to copy it. Default: false.
   */
  readonly declarationMaps?: boolean | undefined
  /** Where `_output` stands in a branch of the composed schema. Default: `last`. */
  readonly outputPosition?: 'last' | 'meta' | undefined
  /** `omit` leaves `_output` out of the branches of Tools that have an Activity; `keep` asks the model to predict it. Default: `omit`. */
  readonly explicitOutput?: 'keep' | 'omit' | undefined
  /**
   * Whether parameters in the composed schema admit References: `auto` where a value that can be read could fit, `deep` in
   * nested values too, `none` nowhere. Default: `auto`.
   */
  readonly references?: 'auto' | 'deep' | 'none' | undefined
  /**
   * Changes that `callsheet diff` lets through, each with a reason. They go stale by themselves: once the change is part
   * of what is compared with, `diff` says that the exception can go.
   *
   * @example [{ change: 'wire:weatherCheck/units:1f0c2a9b', reason: 'Nobody sent units; agreed with the agent team.' }]
   */
  readonly exceptions?: readonly ContractException[] | undefined
  /**
   * What the Tools may weigh, by figures and by a file of figures that only fall: `lint` and `generate --check` say
   * which are passed, and by which Tools. Default: no limit.
   *
   * @example { toolTokens: 400, dialects: { openai: { tokens: 8000 } }, ratchet: 'callsheet.budget.json' }
   */
  readonly budget?: Budget | undefined
}

/** A dialect and how it is gated: see {@link DialectSetting}; mode `auto` when left out. */
export interface DialectChoice {
  readonly dialect: DialectName
  readonly mode?: DialectSetting['mode'] | undefined
}

/** The whole configuration: one set of definitions, or several that generate into a folder each. */
export interface Config extends DefinitionSet {
  /**
   * Several independent sets of definitions in one project. What stands beside `sets` is the default of each; every set
   * says its own `definitions` and `output`.
   *
   * @example [{ definitions: 'mail/tools', output: 'mail/generated' }, { definitions: 'shop/tools', output: 'shop/generated' }]
   */
  readonly sets?: readonly DefinitionSet[] | undefined
}

/**
 * Types the configuration in `callsheet.config.ts`; returns it as it is.
 *
 * @example
 * import { defineConfig } from 'callsheet/codegen'
 *
 * export default defineConfig({ definitions: 'tools', output: 'src/generated', dialects: ['openai'] })
 */
export function defineConfig(config: Config): Config {
  return config
}
