/** The function behind a Tool (TOOL-5), and how a Call becomes its arguments. */
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
      /** `...tags`: the parameter's items are arguments of their own. */
      readonly isRest: boolean
      readonly isOptional: boolean
      readonly value: PassedValue
    }
  /** All parameters of the Call, as one object. */
  | {
      readonly from: 'parameters'
      readonly value: PassedValue
      /** The member that takes `run.signal`. */
      readonly signal?: string
    }

/** How a value gets from JSON to the function, or back. */
export interface PassedValue {
  /** Absent where the JSON value is the value. */
  readonly conversion?: Conversion
  /** True where the function's type says more than JSON can (an enum, a brand): the compiler has to be told. */
  readonly isNarrower: boolean
}

/** What the function gives back. */
export interface ReturnedValue extends PassedValue {
  /** The member in which a scalar stands, for `@returns name - text`. */
  readonly member?: string
}

/** Where in a value a `Date` stands for the text that JSON has. */
export type Conversion =
  | { readonly of: 'date' }
  /** Null stays what it is. */
  | { readonly of: 'nullable'; readonly inner: Conversion }
  /** Undefined, where an item or a value may be that. */
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
