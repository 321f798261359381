/** A part of a schema that cannot be checked correctly. */
export interface Unsupported {
  /** JSON pointer into the schema. */
  readonly pointer: string
  readonly keyword: string
  readonly reason: string
  readonly fix: string
}
