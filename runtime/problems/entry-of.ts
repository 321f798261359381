import { CallsheetError } from '../errors.ts'
import { own } from '../json/json.ts'
import { briefly } from './problem.ts'

/**
 * Looks an option's value up by name, for callers whose types do not hold them: plain JavaScript, or a setting from outside.
 *
 * @param what The start of the sentence that the names end: `Tools are lowered for`.
 * @throws CallsheetError `invalid_options` for a name that is not there, with those that are.
 */
export function entryOf<Entry>(table: Readonly<Record<string, Entry>>, name: unknown, what: string): Entry {
  const entry = typeof name === 'string' ? own(table, name) : undefined
  if (entry !== undefined) return entry as Entry
  const names = Object.keys(table).map((each) => JSON.stringify(each))
  throw new CallsheetError(
    'invalid_options',
    `${what} one of ${names.join(', ')}, by its name, and got ${briefly(name)}.`,
  )
}
