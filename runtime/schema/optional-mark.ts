/**
 * True if a property carries TypeBox's optional mark: a hidden string key in 1.x, a symbol in 0.34. Each version recognises only
 * its own mark.
 */
export function hasOptionalMark(property: object): boolean {
  return (
    '~optional' in property ||
    Object.getOwnPropertySymbols(property).some((symbol) => symbol.description === 'TypeBox.Optional')
  )
}
