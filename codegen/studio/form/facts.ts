import type { CheckTree } from '../../../runtime/check-tree/tree.ts'
import type { Tag } from '../../../runtime/checks/tag.ts'

/** The constraints of a check tree at one location, grouped by subject. */
export interface Facts {
  readonly kinds: Set<Kind>
  readonly text: { min?: number; max?: number; patterns: string[]; format?: string }
  readonly number: {
    isInteger: boolean
    min?: number
    max?: number
    above?: number
    below?: number
    multiple?: number
    format?: string
  }
  readonly list: {
    first: readonly CheckTree[]
    rest?: CheckTree | undefined
    min?: number
    max?: number
    isUnique: boolean
  }
  readonly object: {
    /** undefined while properties with other names are allowed. */
    closed?: readonly string[]
    readonly properties: Map<string, PropertyFacts>
    others?: CheckTree | undefined
    readonly matching: { readonly pattern: string; readonly part: CheckTree }[]
    min?: number
    max?: number
  }
  /** The only allowed values. */
  values?: readonly unknown[]
  readonly unions: Union[]
  readonly definitions: string[]
  /** Constraints that no control shows, as sentences. */
  readonly conditions: Set<string>
}

/** The constraints of one property. */
export interface PropertyFacts {
  isRequired: boolean
  readonly parts: CheckTree[]
}

export type Kind = 'text' | 'number' | 'flag' | 'null' | 'list' | 'object' | 'never'

export interface Union {
  readonly part: CheckTree
  readonly keyword: 'anyOf' | 'oneOf'
  readonly alternatives: readonly CheckTree[]
  readonly tag: Tag | undefined
}
