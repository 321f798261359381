import { CallsheetError } from '../errors.ts'
import { own } from '../json/json.ts'
import { briefly } from './problem.ts'

/**
 * Looks up an option's value by name and rejects unknown names, for callers the compiler does not check: plain JavaScript, or a
 * name that comes from a configuration.
 *
 * @param what The beginning of the error's sentence, which ends with the known names: `Tools are lowered for`.
 * @throws CallsheetError `invalid_options` for an unknown name, listing the known ones.
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
