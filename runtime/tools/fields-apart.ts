import { isMetaField } from '../schema/meta-fields.ts'
import { olderDelegateName } from '../schema/older-delegate-name.ts'

/**
 * Combines two checks of a Call, or two steps of a check, into one: `parameters` sees the Call without its meta-fields,
 * `fields` sees all of it. For Tools that declare meta-fields and whose schema has keywords about the object as a
 * whole, such as `maxProperties`: those must not count meta-fields (CALL-1a).
 */
export function fieldsApart<More extends unknown[]>(
  parameters: (value: Record<string, unknown>, ...more: More) => boolean,
  fields: (value: Record<string, unknown>, ...more: More) => boolean,
): (value: Record<string, unknown>, ...more: More) => boolean {
  return (value, ...more) => {
    const others = Object.entries(value).filter(([name]) => !isMetaField(name) && name !== olderDelegateName)
    // Both always run, since each reports problems of its own.
    const areRight = fields(value, ...more)
    return parameters(Object.fromEntries(others), ...more) && areRight
  }
}
