import type { Conversion } from '../../function-implementation.ts'
import { propertyAccess, propertyName } from '../../print/literal.ts'

/** Prints the conversion of one value: strings become Dates for the function, and Dates strings for JSON. */
export type ConvertDate = (value: string) => string

/**
 * Prints an expression that converts a value. `value` may be evaluated repeatedly, so it has to be a name or a member.
 *
 * @param convertDate Prints the conversion of each Date in it.
 */
export function convert(
  value: string,
  conversion: Conversion | undefined,
  convertDate: ConvertDate,
  depth = 0,
): string {
  if (conversion === undefined) return value
  const item = `item${depth === 0 ? '' : depth + 1}`
  switch (conversion.of) {
    case 'date':
      return convertDate(value)
    case 'nullable':
      return `(${value} === null ? null : ${convert(value, conversion.inner, convertDate, depth)})`
    case 'absent':
      return `(${value} === undefined ? undefined : ${convert(value, conversion.inner, convertDate, depth)})`
    case 'list': {
      const inner = convert(item, conversion.item, convertDate, depth + 1)
      return `${value}.map((${item}) => ${arrowBody(inner)})`
    }
    case 'record': {
      const inner = convert(item, conversion.value, convertDate, depth + 1)
      return `Object.fromEntries(Object.entries(${value}).map(([key, ${item}]) => [key, ${inner}] as const))`
    }
    case 'tuple': {
      const items = conversion.items.map((each, index) =>
        convert(`${value}[${index}]`, each, convertDate, depth),
      )
      return `[${items.join(', ')}]`
    }
    case 'object': {
      const members = conversion.members.map(({ name, isOptional, conversion: inner }) => {
        const member = value + propertyAccess(name)
        const converted = `${propertyName(name)}: ${convert(member, inner, convertDate, depth)}`
        return isOptional ? `...(${member} !== undefined && { ${converted} })` : converted
      })
      const optional = conversion.members.filter(({ isOptional }) => isOptional)
      return `{ ...${withoutMembers(value, optional)}, ${members.join(', ')} }`
    }
  }
}

/** Removes the converted members before a spread, which would otherwise keep the old type of optional members too. */
function withoutMembers(value: string, members: readonly { readonly name: string }[]): string {
  if (members.length === 0) return value
  const taken = members.map(({ name }, index) => `${propertyName(name)}: _${index + 1}`)
  return `(({ ${taken.join(', ')}, ...rest }) => rest)(${value})`
}

function arrowBody(expression: string): string {
  return expression.startsWith('{') ? `(${expression})` : expression
}
