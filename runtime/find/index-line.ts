import { type SearchEntry, searchFields } from './search-entry.ts'

/**
 * Writes the search index of one Tool as a line: its name and its fields, separated by `|`. One line per Tool, so that a
 * changed Tool changes only its own line; stems without weights, so that a reader sees which words find the Tool.
 *
 * @example `weatherCheck|weather check|current weather locat|locat unit|c f|citi countri`
 */
export function writeIndexLine(entry: SearchEntry): string {
  return [entry.tool, ...searchFields.map((field) => entry[field].join(' '))].join('|')
}

/** Parses a line that {@link writeIndexLine} wrote. */
export function readIndexLine(line: string): SearchEntry {
  const [tool = '', ...fields] = line.split('|')
  const stems = (index: number): string[] => fields[index]?.split(' ').filter((stem) => stem !== '') ?? []
  return {
    tool,
    name: stems(0),
    about: stems(1),
    parameters: stems(2),
    values: stems(3),
    details: stems(4),
  }
}
