let prefix: string | undefined
let count = 0

/** Returns a unique idempotency key: a random prefix per process and a counter, since randomness costs microseconds. */
export function nextId(): string {
  prefix ??= `${globalThis.crypto.randomUUID().slice(0, 13)}-`
  count++
  return prefix + count
}
