import { writeIndexLine } from '../../runtime/find/index-line.ts'
import { searchEntryOf } from '../../runtime/find/search-entry.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { SourceFile } from '../print/source-file.ts'
import { withDefinitions } from './tool-schema.ts'

/** Emits `search.ts`: what `Tool.find` knows of each Tool, a line each. Loaded with the first question (FIND-1). */
export function emitSearchIndex(model: Model): GeneratedFile {
  const file = new SourceFile('search.ts', ['searchIndex'])
  // Lines hold names of Tools, stems, spaces and bars: nothing that a template literal would read as its own.
  const lines = model.tools.map(({ name, schema }) =>
    writeIndexLine(searchEntryOf(toolFacts(name, schema), withDefinitions(schema, model.definitions))),
  )
  file.addDocumented(
    'A line a Tool: its name, then the stems of its name, description, parameters, values and details.',
    `export const searchIndex: string = \`\n${lines.map((line) => `${line}\n`).join('')}\``,
  )
  return file.done()
}
