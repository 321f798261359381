const symbols = ['TypeBox.Optional', 'TypeBox.Modifier']
const values: readonly unknown[] = ['Optional', 'ReadonlyOptional']

/**
 * True if a property carries TypeBox's optional mark: a hidden string key in 1.x, before it a symbol, which up to 0.29 says
 * whether the property is read-only too. Each version recognises only its own mark.
 */
export function hasOptionalMark(property: object): boolean {
  return (
    '~optional' in property ||
    Object.getOwnPropertySymbols(property).some(
      (symbol) =>
        symbols.includes(String(symbol.description)) && values.includes(Reflect.get(property, symbol)),
    )
  )
}
