import { type SearchEntry, searchFields } from './search-entry.ts'

/**
 * Writes what the search knows of a Tool as one line: its name and its fields, separated by `|`. A line a Tool, so that a
 * changed Tool changes its own line and no other; stems and no weights, so that a reader sees what is found by what.
 *
 * @example `weatherCheck|weather check|current weather locat|locat unit|c f|citi countri`
 */
export function writeIndexLine(entry: SearchEntry): string {
  return [entry.tool, ...searchFields.map((field) => entry[field].join(' '))].join('|')
}

/** Reads such a line. */
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
