/** The texts about a value. */
export interface Wording {
  readonly title?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly default?: unknown
}

/** One control of a form, as plain JSON: the check's constraints, with the texts of the schema. */
export type Field = Wording & {
  /** Further constraints, as sentences, which only the check validates. */
  readonly conditions?: readonly string[]
} & (
    | TextField
    | NumberField
    | ListField
    | ObjectField
    | UnionField
    | { readonly kind: 'flag' }
    | { readonly kind: 'null' }
    /** Anything at all, written as JSON. */
    | { readonly kind: 'any' }
    /** No value is valid. */
    | { readonly kind: 'never' }
    /** One of these values; with a single one there is nothing to choose. */
    | { readonly kind: 'choice'; readonly values: readonly unknown[] }
    /** The field of a definition, which may be recursive. */
    | { readonly kind: 'reference'; readonly name: string }
  )

export interface TextField {
  readonly kind: 'text'
  readonly min?: number
  readonly max?: number
  readonly patterns?: readonly string[]
  readonly format?: string
}

export interface NumberField {
  readonly kind: 'number'
  readonly isInteger: boolean
  readonly min?: number
  readonly max?: number
  readonly above?: number
  readonly below?: number
  readonly multiple?: number
  readonly format?: string
}

export interface ListField {
  readonly kind: 'list'
  /** The fields of the first items. */
  readonly first: readonly Field[]
  /** The field of every other item. */
  readonly rest: Field
  readonly min?: number
  readonly max?: number
  readonly isUnique: boolean
}

export interface ObjectField {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** The field of properties with other names; absent if there may be none. */
  readonly others?: Field
  /** Properties whose names match. */
  readonly matching: readonly { readonly pattern: string; readonly field: Field }[]
  readonly min?: number
  readonly max?: number
}

export interface Property {
  readonly name: string
  readonly isRequired: boolean
  readonly field: Field
}

export interface UnionField {
  readonly kind: 'union'
  readonly alternatives: readonly Alternative[]
  /** The property that distinguishes the alternatives, with its values in each; null if it is not restricted. */
  readonly tag?: { readonly name: string; readonly values: readonly (readonly unknown[] | null)[] }
}

export interface Alternative {
  readonly label: string
  readonly field: Field
}

/** A form: its root, and the fields of its references. */
export interface Form {
  readonly root: Field
  readonly definitions: Readonly<Record<string, Field>>
}
