import { isCallsheetError } from '../../runtime/errors.ts'

/** The check of a schema, or what else is made of it; undefined if it is refused, which has a code. Anything else that is thrown is a defect. */
export function made<Made>(make: () => Made): Made | undefined {
  try {
    return make()
  } catch (error) {
    const isRefusal =
      isCallsheetError(error) || (error instanceof TypeError && error.message.startsWith('refused: '))
    if (!isRefusal) throw error
    return undefined
  }
}
