/** The required properties that are missing. */
export type MissingKeys<Given, Takes> = Exclude<RequiredKeys<Takes>, keyof Given> & string

/** The required keys of an object: not the optional ones, and not index signatures. */
type RequiredKeys<Takes> = {
  [Key in keyof Takes]-?: Record<never, never> extends Pick<Takes, Key> ? never : Key
}[keyof Takes]
