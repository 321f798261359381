import { checkTree } from '../../runtime/check-tree/build.ts'
import { buildDefinitions, type Definitions } from '../../runtime/check-tree/definitions.ts'
import { patternsIn } from '../../runtime/check-tree/patterns.ts'
import { definitionReferences, type References } from '../../runtime/check-tree/references.ts'
import { needsGuard } from '../../runtime/checks/guard-pattern.ts'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import { stringSource } from './literal.ts'
import { printVerdict } from './print-verdict.ts'
import { Scope } from './scope.ts'

/** The source of a verdict function, with the declarations and imports that it needs. */
export interface CompiledVerdict {
  /** A TypeScript expression of the type `Verdict`. */
  readonly verdict: string
  /** Statements to print before it, each of one or more lines. */
  readonly declarations: readonly string[]
  /** Names to import from `callsheet/checks`, sorted. */
  readonly helpers: readonly string[]
  /** Names of the definitions that it refers to, sorted; {@link verdictName} is the export of each. */
  readonly definitions: readonly string[]
}

/**
 * Compiles a schema to the source of a verdict function that uses no `eval` and agrees with Ajv (GEN-1, GEN-11). The reasons of a
 * refusal are not printed: at the first refusal they are linked at run time, from the same tree (`linkSchema`).
 *
 * @param schema Normalised: every `$ref` is `#/$defs/Name`, with Name among the definitions.
 * @param prefix Prefix of the names that the code declares, unique within a file.
 * @throws CallsheetError `unsupported_schema` for a reference without a definition. Check for everything else that cannot be
 * compiled with `unsupportedSchema` before.
 *
 * @example
 * compileVerdict({ type: 'string' }, {}).verdict
 * // "(v) => typeof v === 'string'"
 */
export function compileVerdict(
  schema: Schema,
  definitions: Readonly<Record<string, Schema>>,
  prefix: string = 'check',
): CompiledVerdict {
  return compileRoot(schema, definitionReferences(definitions), prefix)
}

/** Compiles a schema with references of any kind. */
export function compileRoot(
  schema: Schema,
  references: References,
  prefix: string = 'check',
): CompiledVerdict {
  const scope = new Scope(prefix, printVerdict)
  guardPatterns(schema, scope)
  return compiled(printVerdict(checkTree(schema, references), scope), scope)
}

/** Compiles one of the shared definitions, to be exported as `verdictName(name)`. */
export function compileDefinition(
  name: string,
  definitions: Readonly<Record<string, Schema>>,
): CompiledVerdict {
  return compileNamed(name, definitionsOf(definitions), definitions[name])
}

/** Compiles a definition with references of any kind. */
export function compileNamed(
  name: string,
  { trees, revisited }: Definitions,
  schema: Schema = true,
): CompiledVerdict {
  const tree = trees.get(name) ?? { op: 'all', parts: [] }
  const scope = new Scope(name, printVerdict)
  guardPatterns(schema, scope)
  const verdict = printVerdict(tree, scope)
  return compiled(revisited.has(name) ? `${scope.helper('rememberVerdict')}(${verdict})` : verdict, scope)
}

/** Registers another matcher for patterns on which a regular expression could hang. Call it before they are used. */
function guardPatterns(schema: Schema, scope: Scope): void {
  for (const pattern of [...patternsIn(schema)].filter(needsGuard)) {
    scope.declarations.push(`${scope.helper('guardPattern')}(${stringSource(pattern)})`)
  }
}

/** Caches the check trees of definitions: they are compiled one by one, but inspected together. */
function definitionsOf(definitions: Readonly<Record<string, Schema>>): Definitions {
  let known = built.get(definitions)
  if (!known) {
    known = buildDefinitions(Object.keys(definitions), definitionReferences(definitions))
    built.set(definitions, known)
  }
  return known
}

const built = new WeakMap<Readonly<Record<string, Schema>>, Definitions>()

function compiled(verdict: string, scope: Scope): CompiledVerdict {
  return {
    verdict,
    declarations: scope.declarations,
    helpers: [...scope.helpers].sort(byCodeUnit),
    definitions: [...scope.definitions].sort(byCodeUnit),
  }
}
