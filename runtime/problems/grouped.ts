/** Formats a whole number with thousands separators, 12,345: the same on every machine, unlike `toLocaleString`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}
