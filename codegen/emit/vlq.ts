const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Encodes an integer for a source map: five bits per digit, least significant first, the sign in the lowest bit. */
export function encodeVlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2
  let text = ''
  do {
    const digit = rest % 32
    rest = (rest - digit) / 32
    text += digits[rest > 0 ? digit + 32 : digit]
  } while (rest > 0)
  return text
}
