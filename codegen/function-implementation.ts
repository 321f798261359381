/** The function behind a Tool (TOOL-5), and how its arguments are made from a Call. */
export interface Implementation {
  /** The file that exports it, relative to the project folder. */
  readonly file: string
  /** The export's name; `default` for a default export. */
  readonly exportName: string
  /** Set for a method of an exported class. */
  readonly method?: { readonly name: string; readonly isStatic: boolean }
  readonly arguments: readonly Argument[]
  readonly output: ReturnedValue
}

/** One argument, in the function's order. */
export type Argument =
  /** `run.signal`. */
  | { readonly from: 'signal' }
  /** One parameter of the Call. */
  | {
      readonly from: 'parameter'
      readonly name: string
      /** For `...tags`: each item of the parameter becomes an argument. */
      readonly isRest: boolean
      readonly isOptional: boolean
      readonly value: PassedValue
    }
  /** All parameters of the Call, as one object. */
  | {
      readonly from: 'parameters'
      readonly value: PassedValue
      /** The members that receive `run.signal`. */
      readonly signals: readonly string[]
    }

/** How a value is converted from JSON to the function's type, or back. */
export interface PassedValue {
  /** Absent if the JSON value is passed unchanged. */
  readonly conversion?: Conversion
  /** Whether the function's type is narrower than JSON's (an enum, a brand), so that a cast is needed. */
  readonly isNarrower: boolean
}

/** The function's return value. */
export interface ReturnedValue extends PassedValue {
  /** The output member that a scalar is put into, for `@returns name - text`. */
  readonly member?: string
  /** Whether what is returned has to be awaited for its type: a Promise of Promises, or another object with `then`. */
  readonly isNested?: true
}

/** Where a value has a `Date` in place of JSON's string. */
export type Conversion =
  | { readonly of: 'date' }
  /** Null stays null. */
  | { readonly of: 'nullable'; readonly inner: Conversion }
  /** undefined stays undefined. */
  | { readonly of: 'absent'; readonly inner: Conversion }
  | { readonly of: 'list'; readonly item: Conversion }
  | { readonly of: 'record'; readonly value: Conversion }
  | { readonly of: 'tuple'; readonly items: readonly (Conversion | undefined)[] }
  | { readonly of: 'object'; readonly members: readonly ConvertedMember[] }

export interface ConvertedMember {
  readonly name: string
  readonly isOptional: boolean
  readonly conversion: Conversion
}
