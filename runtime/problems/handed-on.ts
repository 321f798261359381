import type { CallsheetError } from '../errors.ts'

/** Known to every copy of the package. */
const mark: unique symbol = Symbol.for('callsheet.handedOn')

/**
 * Marks an error as this Call's own failure, which an Activity hands on from where the Call really ran: it is reported as it is,
 * and not as the `activity_failed` of an Activity that made a Call of its own.
 */
export function handOn(error: CallsheetError): CallsheetError {
  return Object.defineProperty(error, mark, { value: true })
}

/** True for an error that was handed on. */
export function isHandedOn(error: CallsheetError): boolean {
  return (error as { [mark]?: unknown })[mark] === true
}
