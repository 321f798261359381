import { posix } from 'node:path'
import type { Config, DefinitionSet } from './config.ts'
import type { DialectSetting, Settings } from './settings.ts'

/** Defaults for options that neither a set nor the configuration around it specifies. */
export interface Defaults {
  readonly root: string
  readonly importExtension: Settings['importExtension']
}

const defaultDialects: NonNullable<DefinitionSet['dialects']> = ['json-schema', 'openai']

/** Computes the settings of every set of a valid configuration. */
export function settingsOf(config: Config, defaults: Defaults): Settings[] {
  const { sets, ...common } = config
  const filled = (sets ?? [{}]).map((set) => fillIn({ ...common, ...withoutUndefined(set) }, defaults))
  const outputs = filled.map(({ output }) => output)
  return filled.map((set) => ({ ...set, otherOutputs: outputs.filter((output) => output !== set.output) }))
}

function fillIn(set: DefinitionSet, defaults: Defaults): Omit<Settings, 'otherOutputs'> {
  const output = tidyPath(set.output ?? 'generated')
  return {
    root: defaults.root,
    definitions: [set.definitions ?? 'definitions'].flat().map(tidyPath),
    output,
    activitiesFolder: tidyPath(set.activitiesFolder ?? posix.join(posix.dirname(output), 'activities')),
    activities: set.activities,
    meta: set.meta ?? {},
    dialects: (set.dialects ?? defaultDialects).map(dialectSetting),
    importExtension: set.importExtension ?? defaults.importExtension,
    declarationMaps: set.declarationMaps ?? false,
    outputPosition: set.outputPosition ?? 'last',
    explicitOutput: set.explicitOutput ?? 'omit',
    references: set.references ?? 'auto',
    exceptions: set.exceptions ?? [],
    budget: set.budget ?? {},
  }
}

function dialectSetting(choice: NonNullable<DefinitionSet['dialects']>[number]): DialectSetting {
  return typeof choice === 'string'
    ? { dialect: choice, mode: 'auto' }
    : { dialect: choice.dialect, mode: choice.mode ?? 'auto' }
}

/** Normalises a path: `./tools\\mail/` and `tools/mail` are one folder and give the same output. */
function tidyPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/+)+(?=.)/, '')
    .replace(/(?<=.)\/+$/, '')
}

/** Removes undefined options: they count as absent, whether or not the user has `exactOptionalPropertyTypes`. */
function withoutUndefined(set: DefinitionSet): DefinitionSet {
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined))
}
