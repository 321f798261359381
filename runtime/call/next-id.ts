let prefix: string | undefined
let count = 0

/** An idempotency key that no other Call has: random per process, then counted, since randomness costs microseconds. */
export function nextId(): string {
  prefix ??= `${globalThis.crypto.randomUUID().slice(0, 13)}-`
  count++
  return prefix + count
}
