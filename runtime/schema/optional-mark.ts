/**
 * Whether TypeBox marks a property as optional: 1.x with a hidden string key, 0.34 with a symbol. Each makes objects by its own mark
 * alone, and does not see the other's.
 */
export function hasOptionalMark(property: object): boolean {
  return (
    '~optional' in property ||
    Object.getOwnPropertySymbols(property).some((symbol) => symbol.description === 'TypeBox.Optional')
  )
}
