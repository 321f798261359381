import type { IsKnown } from './told.ts'

/** The required properties that are missing. */
export type MissingKeys<Given, Takes> = Exclude<RequiredKeys<Takes>, GivenKeys<Given>> & string

/** The properties that are too many. */
export type UnknownKeys<Given, Takes> = Exclude<GivenKeys<Given>, keyof Takes>

/** The required keys of an object: not the optional ones, and not index signatures. */
type RequiredKeys<Takes> = {
  [Key in keyof Takes]-?: Record<never, never> extends Pick<Takes, Key> ? never : Key
}[keyof Takes]

/**
 * The keys that an object has. To each alternative of `either ? { a: 1 } : { b: 1 }` the compiler adds the keys of the
 * others, as `b?: undefined`: those do not count.
 */
export type GivenKeys<Given> = {
  [Key in keyof Given]-?: Record<never, never> extends Pick<Given, Key>
    ? [Given[Key]] extends [undefined]
      ? IsKnown<Given[Key]> extends true
        ? never
        : Key
      : Key
    : Key
}[keyof Given]
