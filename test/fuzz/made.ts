import { isCallsheetError } from '../../runtime/errors.ts'
import type { Check } from '../../runtime/schema/validator.ts'

/** The check of a schema; undefined for one that is refused, which has a code. Anything else that is thrown is a defect. */
export function made(make: () => Check): Check | undefined {
  try {
    return make()
  } catch (error) {
    const isRefusal =
      isCallsheetError(error) || (error instanceof TypeError && error.message.startsWith('refused: '))
    if (!isRefusal) throw error
    return undefined
  }
}
