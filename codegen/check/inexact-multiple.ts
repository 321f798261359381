/** So many multiples are tried: of factors with few digits, one of the first hundred is refused, or none. */
const tried = 1000

/**
 * Returns the first number that is a multiple of a factor as both are written, and none in the binary numbers that JavaScript and
 * Ajv divide: 0.07 for 0.01. Undefined where the first thousand multiples are also multiples there, as for 0.5 and for whole numbers.
 */
export function inexactMultiple(factor: number): number | undefined {
  if (Number.isInteger(factor) || !Number.isFinite(factor)) return undefined
  const [, digits = '', fraction = '', exponent = '0'] =
    /^(\d+)\.?(\d*)(?:e([+-]\d+))?$/.exec(String(factor)) ?? []
  const unit = Number(digits + fraction)
  const shift = Number(exponent) - fraction.length
  for (let times = 1; times <= tried; times++) {
    const multiple = Number(`${times * unit}e${shift}`)
    if (!Number.isInteger(multiple / factor)) return multiple
  }
  return undefined
}
