import { writeIndexLine } from '../../runtime/find/index-line.ts'
import { searchEntryOf } from '../../runtime/find/search-entry.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { SourceFile } from '../print/source-file.ts'
import { withDefinitions } from './tool-schema.ts'

/** Emits `search.ts`: the index of `Tool.find`, one line per Tool. Loaded with the first search (FIND-1). */
export function emitSearchIndex(model: Model): GeneratedFile {
  const file = new SourceFile('search.ts', ['searchIndex'])
  // Lines contain names of Tools, stems, spaces and bars only: nothing that needs escaping in a template literal.
  const lines = model.tools.map(({ name, schema }) =>
    writeIndexLine(searchEntryOf(toolFacts(name, schema), withDefinitions(schema, model.definitions))),
  )
  file.addDocumented(
    'A line a Tool: its name, then the stems of its name, description, parameters, values and details.',
    `export const searchIndex: string = \`\n${lines.map((line) => `${line}\n`).join('')}\``,
  )
  return file.done()
}
