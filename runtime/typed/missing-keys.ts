/** The properties that must be there and are not. */
export type MissingKeys<Given, Takes> = Exclude<RequiredKeys<Takes>, keyof Given> & string

type RequiredKeys<Takes> = {
  [Key in keyof Takes]-?: object extends Pick<Takes, Key> ? never : Key
}[keyof Takes]
