import { isMetaField } from '../schema/meta-fields.ts'
import { olderDelegateName } from '../schema/older-delegate-name.ts'

/**
 * Makes one check of a Call, or one of its ways, of two, for schemas with keywords that look at the object as a whole, whose Tools
 * declare meta-fields beyond those that every Call may carry: no keyword of the parameters sees them (CALL-1a).
 */
export function fieldsApart<More extends unknown[]>(
  parameters: (value: Record<string, unknown>, ...more: More) => boolean,
  fields: (value: Record<string, unknown>, ...more: More) => boolean,
): (value: Record<string, unknown>, ...more: More) => boolean {
  return (value, ...more) => {
    const others = Object.entries(value).filter(([name]) => !isMetaField(name) && name !== olderDelegateName)
    // Both, since each tells its own problems.
    const areRight = fields(value, ...more)
    return parameters(Object.fromEntries(others), ...more) && areRight
  }
}
