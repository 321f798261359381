/** The properties that must be there and are not. */
export type MissingKeys<Given, Takes> = Exclude<RequiredKeys<Takes>, keyof Given> & string

/** Of an object without members nothing is missing that may be left out, nor what any key may hold. */
type RequiredKeys<Takes> = {
  [Key in keyof Takes]-?: Record<never, never> extends Pick<Takes, Key> ? never : Key
}[keyof Takes]
