/** A whole number with its thousands apart: 12,345. The same on every machine, as `toLocaleString` is not. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}
