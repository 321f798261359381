/** A text in the format `date-time`, as far as it is not accepted by `Date` everywhere: any white space, and offsets such as `+01`. */
const dateTime = /^(\d{4}-\d\d-\d\d)[t\s](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:z|([+-])(\d\d)(?::?(\d\d))?)$/i

/**
 * Returns the time of a text in the format `date-time`. `Date` itself understands fewer texts than the format allows: a leap second
 * is the second after it, as in Unix time.
 *
 * @returns An invalid date for other texts, as `new Date(text)` does.
 */
export function dateOf(text: string): Date {
  const parts = dateTime.exec(text)
  if (!parts) return new Date(text)
  const [, day = '', hours, minutes, seconds, fraction = '', sign, offsetHours = 0, offsetMinutes = 0] = parts
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1)
  const inMinutes = Number(hours) * 60 + Number(minutes) - offset
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return new Date(Date.parse(day) + (inMinutes * 60 + Number(seconds)) * 1000 + milliseconds)
}
