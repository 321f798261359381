/** How often a check looked at a value. */
export interface Work {
  reads: number
}

/**
 * A copy of JSON that counts what is read of it: work that is the same on every machine, and under every load. Each part is
 * one object for good, since checks may remember what they have seen.
 */
export function counted(value: unknown, work: Work): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy: object = Array.isArray(value)
    ? value.map((item) => counted(item, work))
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, counted(member, work)]))
  const count = <Result>(result: Result): Result => {
    work.reads++
    return result
  }
  return new Proxy(copy, {
    get: (target, name, receiver) => count(Reflect.get(target, name, receiver)),
    has: (target, name) => count(Reflect.has(target, name)),
    ownKeys: (target) => count(Reflect.ownKeys(target)),
    getOwnPropertyDescriptor: (target, name) => count(Reflect.getOwnPropertyDescriptor(target, name)),
  })
}

/** Objects, lists and what they hold. */
export function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + sizeOf(member), 1)
}
