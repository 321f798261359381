import type { ConfigOptions } from '../../config/load-config.ts'
import { composableTools } from '../../emit/composed.ts'
import { withDefinitions } from '../../emit/tool-schema.ts'
import type { Finding } from '../../model.ts'
import { type ReadSet, readModels } from '../../read-models.ts'
import type { ContractSet } from '../contract.ts'

/** The current sets of a project, read from its definitions. */
export interface DefinitionSets {
  readonly sets: readonly ContractSet[]
  readonly read: readonly ReadSet[]
  readonly findings: readonly Finding[]
}

/**
 * Reads the contract from the definitions.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 */
export async function definitionSets(options: ConfigOptions): Promise<DefinitionSets> {
  const read = await readModels(options)
  return {
    read,
    findings: read.flatMap(({ findings }) => findings),
    sets: read.map(({ settings, model, locate }) => {
      const activities = new Map(
        composableTools(model, settings).map(({ name, activity }) => [name, activity]),
      )
      return {
        output: settings.output,
        tools: model.tools.map(({ name, schema }) => ({
          name,
          // As in generated code: the same keys in the same order, and plain JSON only.
          schema: JSON.parse(JSON.stringify(withDefinitions(schema, model.definitions))),
          activity: activities.get(name),
          locate: (pointer: string) => locate(name, pointer),
        })),
      }
    }),
  }
}
