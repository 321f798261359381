import { checkTree } from '../../runtime/check-tree/build.ts'
import { definitionReferences, type References } from '../../runtime/check-tree/references.ts'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import { printCallingStep, printStep, type Uses } from './print-check.ts'

/** The source of a check, and what it needs in scope. */
export interface CompiledCheck {
  /** A TypeScript expression of the type `Check` or `Step`. */
  readonly code: string
  /** Names to import from `callsheet/wiring`, sorted. */
  readonly helpers: readonly string[]
  /** Formats that it asserts, sorted; any of them makes `format` an import from `callsheet/formats`. */
  readonly formats: readonly string[]
  /** Names of the definitions that it refers to, sorted; `definitionStep(name)` is the identifier of each. */
  readonly definitions: readonly string[]
}

/**
 * Compiles a schema to the source of a `Check` that has no `eval` and answers as Ajv does (GEN-1, GEN-11).
 *
 * @param schema Normalised: every `$ref` is `#/$defs/Name`, with Name among the definitions.
 * @throws CallsheetError `unsupported_schema` for a reference to no definition; whatever else cannot be compiled must be
 * found before, with `unsupportedSchema`.
 *
 * @example
 * compileCheck({ type: 'string' }, {})
 * // { code: 'check(string)', helpers: ['check', 'string'], formats: [], definitions: [] }
 */
export function compileCheck(schema: Schema, definitions: Readonly<Record<string, Schema>>): CompiledCheck {
  const step = compileStep(schema, definitionReferences(definitions))
  return { ...step, code: `check(${step.code})`, helpers: [...step.helpers, 'check'].sort(byCodeUnit) }
}

/** Compiles one of the shared definitions to the source of a `Step`, to be exported as `definitionStep(name)`. */
export function compileDefinition(
  name: string,
  definitions: Readonly<Record<string, Schema>>,
): CompiledCheck {
  const references = definitionReferences(definitions)
  return compileStep(references.schemaOf(name) ?? true, references)
}

/** Compiles a schema to the source of a `Step`, with references of any kind. */
export function compileStep(schema: Schema, references: References): CompiledCheck {
  const uses: Uses = { helpers: new Set(), formats: new Set(), definitions: new Set() }
  const tree = checkTree(schema, references)
  // The step of another definition may not have been assigned yet when this one is: it is looked up by each call.
  const code = tree.op === 'definition' ? printCallingStep(tree, uses) : printStep(tree, uses)
  return {
    code,
    helpers: [...uses.helpers].sort(byCodeUnit),
    formats: [...uses.formats].sort(byCodeUnit),
    definitions: [...uses.definitions].sort(byCodeUnit),
  }
}
