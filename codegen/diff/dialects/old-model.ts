import type { JsonSchema } from '../../../runtime/schema/schema.ts'
import type { Settings } from '../../config/settings.ts'
import type { Model } from '../../model.ts'
import { fileName } from '../../names/file-name.ts'
import type { ContractSet } from '../contract.ts'

/** Converts a contract to a model for the emitters, which need little more than names and schemas. */
export function modelOf({ tools }: ContractSet): Model {
  const definitions: Record<string, JsonSchema> = {}
  for (const { schema } of tools) Object.assign(definitions, schema.$defs)
  return {
    definitions,
    tools: tools.map(({ name, schema: { $defs: _, ...schema } }) => ({
      name,
      identifier: name,
      fileName: fileName(name),
      schema,
      output: schema.properties?._output,
      at: { file: '', line: 1, column: 1 },
    })),
  }
}

/** Returns settings with the contract's own Activities, so that it composes as it did then. */
export function settingsFor({ tools }: ContractSet, settings: Settings): Settings {
  const known = tools.flatMap(({ activity }) => activity ?? [])
  return tools.some(({ activity }) => activity !== undefined)
    ? { ...settings, activities: known.filter((name) => name !== '') }
    : settings
}
