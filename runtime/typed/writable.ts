/**
 * A value whose lists may be changed: what a constant comes to once it has been copied, as every Call and every output is.
 * Lists of any length are written out, since the compiler would work out a mapped one at once, and a type may contain
 * lists of itself.
 */
export type Writable<Value> = Value extends readonly unknown[]
  ? number extends Value['length']
    ? Writable<Value[number]>[]
    : { -readonly [Index in keyof Value]: Writable<Value[Index]> }
  : Value extends Readonly<Record<string, unknown>>
    ? { -readonly [Key in keyof Value]: Writable<Value[Key]> }
    : Value
