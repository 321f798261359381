/** Sets one member of a value, at any depth, to another value; removes it where there is none to set. */
export function changeLeaf(whole: unknown, place: number, to: { readonly value: unknown } | undefined): void {
  const places: [holder: object, key: string][] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      places.push([value, key])
      visit(Reflect.get(value, key))
    }
  }
  visit(whole)
  const [holder, key] = places[place % Math.max(1, places.length)] ?? []
  if (!holder || key === undefined) return
  // Defined, since it may be called `__proto__`.
  if (to)
    Object.defineProperty(holder, key, {
      value: to.value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else Reflect.deleteProperty(holder, key)
}

/** Does so in JSON text; what is none stays as it is. */
export function withChangedLeaf(
  text: string,
  place: number,
  to: { readonly value: unknown } | undefined,
): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  changeLeaf(value, place, to)
  return JSON.stringify(value)
}
