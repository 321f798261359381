/** Longest run of digits that an unbounded integer is written with. */
const freeDigits = 6

/** GBNF alternatives for exactly the whole numbers from `low` to `high`, without leading zeros and without `-0`. */
export function integers(low: number | undefined, high: number | undefined): string {
  const [from, to] = [
    low ?? Math.min(high ?? 0, 0) - (10 ** freeDigits - 1),
    high ?? Math.max(low ?? 0, 0) + 10 ** freeDigits - 1,
  ]
  if (from > to) throw new Error(`no whole number lies between ${from} and ${to}`)
  const negative = from < 0 ? between(Math.max(1, -to), -from).map((digits) => `"-" ${digits}`) : []
  const zero = from <= 0 && to >= 0 ? ['"0"'] : []
  return [...negative, ...zero, ...(to > 0 ? between(Math.max(1, from), to) : [])].join(' | ')
}

/** Digit by digit: the positive numbers from `low` to `high`, as few alternatives as they need. */
function between(low: number, high: number): string[] {
  const alternatives: string[] = []
  for (let length = String(low).length; length <= String(high).length; length++) {
    const first = Math.max(low, 10 ** (length - 1))
    const last = Math.min(high, 10 ** length - 1)
    alternatives.push(...sameLength(String(first), String(last)))
  }
  return alternatives
}

/** Both ends have the same number of digits, and `low` is not above `high`. */
function sameLength(low: string, high: string): string[] {
  if (low === '') return ['']
  const [least, most] = [Number(low[0]), Number(high[0])]
  const [lowRest, highRest] = [low.slice(1), high.slice(1)]
  if (/^0*$/.test(lowRest) && /^9*$/.test(highRest))
    return [`${digit(least, most)}${anyDigits(lowRest.length)}`]
  const after = (first: number, rests: string[]): string[] =>
    rests.map((rest) => `${digit(first, first)} ${rest}`)
  if (least === most) return after(least, sameLength(lowRest, highRest))
  const middle = least + 1 <= most - 1 ? [`${digit(least + 1, most - 1)}${anyDigits(lowRest.length)}`] : []
  return [
    ...after(least, sameLength(lowRest, '9'.repeat(lowRest.length))),
    ...middle,
    ...after(most, sameLength('0'.repeat(highRest.length), highRest)),
  ]
}

function digit(least: number, most: number): string {
  return least === most ? `"${least}"` : `[${least}-${most}]`
}

function anyDigits(count: number): string {
  return count === 0 ? '' : ` [0-9]{${count}}`
}
