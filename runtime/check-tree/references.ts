import { CallsheetError } from '../errors.ts'
import { definitionName } from '../json/definition-reference.ts'
import { briefly } from '../problems/problem.ts'
import type { Schema } from '../schema/schema.ts'

/** Resolves the `$ref`s of a schema. */
export interface References {
  /**
   * Returns the name of the definition that a `$ref` references.
   *
   * @throws CallsheetError `unsupported_schema` if it does not resolve.
   */
  nameOf(reference: string): string
  /** Returns the definition of a name. */
  schemaOf(name: string): Schema | undefined
}

/** Resolves references of the form `#/$defs/Name` in a table of definitions. */
export function definitionReferences(definitions: Readonly<Record<string, Schema>>): References {
  const schemaOf = (name: string) => (Object.hasOwn(definitions, name) ? definitions[name] : undefined)
  return {
    schemaOf,
    nameOf(reference) {
      const name = definitionName(reference)
      if (name !== undefined && schemaOf(name) !== undefined) return name
      const known = Object.keys(definitions)
      const listed =
        known.length > 0 ? `the definitions are ${known.slice(0, 12).join(', ')}` : 'there are no definitions'
      throw new CallsheetError(
        'unsupported_schema',
        `$ref ${briefly(reference)} leads to no definition; ${listed}`,
      )
    },
  }
}
