import type { JsonObject } from './json.ts'

/** Copies an object with other values; a member named `__proto__` stays one. */
export function mapMembers(object: JsonObject, map: (value: unknown, name: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]))
}
