import { Ranker } from '../../runtime/find/ranker.ts'
import { type SearchEntry, searchEntryOf } from '../../runtime/find/search-entry.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { ConfigOptions } from '../config/load-config.ts'
import { withDefinitions } from '../emit/tool-schema.ts'
import type { Model } from '../model.ts'
import { readModels, requireTools } from '../read-models.ts'

/** The search index of the Tools of one set. */
export interface SearchableSet {
  /** The set's output folder. */
  readonly output: string
  readonly ranker: Ranker
  readonly descriptions: ReadonlyMap<string, string>
}

/** The search indexes of a project's Tools. */
export interface SearchableProject {
  /** Each has a registry of its own, and so a `Tool.find` of its own. */
  readonly sets: readonly SearchableSet[]
  /** @throws GeneratorError if there is no Tool, because no definition could be read. */
  requireTools(): void
}

/**
 * Reads the definitions of a project and indexes them as generation does.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 */
export async function searchableProject(options: ConfigOptions): Promise<SearchableProject> {
  const sets = await readModels(options)
  return {
    sets: sets.map(({ settings, model }) => ({
      output: settings.output,
      ranker: new Ranker(searchEntries(model)),
      descriptions: new Map(model.tools.map(({ name, schema }) => [name, schema.description ?? ''])),
    })),
    requireTools: () => requireTools(sets),
  }
}

/** Returns the search entry of each Tool of a model. */
export function searchEntries({ tools, definitions }: Model): SearchEntry[] {
  return tools.map(({ name, schema }) =>
    searchEntryOf(toolFacts(name, schema), withDefinitions(schema, definitions)),
  )
}
