import type { CallsheetError } from '../errors.ts'

/** A registered symbol, so that two copies of the package recognise each other's marks. */
const mark: unique symbol = Symbol.for('callsheet.handedOn')

/**
 * Marks an error as the Call's own failure that an Activity passes on from the process where the Call really ran. It is then
 * reported unchanged; without the mark it would become `activity_failed`, as if the Activity had made a Call of its own.
 */
export function handOn(error: CallsheetError): CallsheetError {
  return Object.defineProperty(error, mark, { value: true })
}

/** True for an error marked by {@link handOn}. */
export function isHandedOn(error: CallsheetError): boolean {
  return (error as { [mark]?: unknown })[mark] === true
}
