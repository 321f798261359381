import { checkTree } from '../../runtime/check-tree/build.ts'
import { buildDefinitions, type Definitions } from '../../runtime/check-tree/definitions.ts'
import { patternsIn } from '../../runtime/check-tree/patterns.ts'
import { definitionReferences, type References } from '../../runtime/check-tree/references.ts'
import type { CheckTree } from '../../runtime/check-tree/tree.ts'
import { needsGuard } from '../../runtime/checks/guard-pattern.ts'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import { stringSource } from './literal.ts'
import { reasonsName, verdictName } from './names.ts'
import { printCallingStep, printStep } from './print-check.ts'
import { printVerdict } from './print-verdict.ts'
import { Scope } from './scope.ts'

/** What the source of checks needs around it. */
interface Surroundings {
  /** Statements to stand before the code, one a line or several. */
  readonly declarations: readonly string[]
  /** Names to import from `callsheet/wiring`, sorted. */
  readonly helpers: readonly string[]
  /** Names to import from `callsheet/formats`, sorted. */
  readonly formatHelpers: readonly string[]
  /** Formats that it asserts, sorted. */
  readonly formats: readonly string[]
  /** Names of the definitions that it refers to, sorted; each is exported as `reasonsName` and `verdictName` say. */
  readonly definitions: readonly string[]
}

/** The source of a check. */
export interface CompiledCheck extends Surroundings {
  /** A TypeScript expression of the type `Check`. */
  readonly code: string
}

/** The source of a shared definition. */
export interface CompiledDefinition extends Surroundings {
  /** A TypeScript expression of the type `Verdict`. */
  readonly verdict: string
  /** A TypeScript expression of the type `Step`. */
  readonly reasons: string
}

/**
 * Compiles a schema to the source of a `Check` that has no `eval` and answers as Ajv does (GEN-1, GEN-11). It has two
 * ways through the schema, printed from one tree: a verdict in straight-line code, and the reasons of a "no".
 *
 * @param schema Normalised: every `$ref` is `#/$defs/Name`, with Name among the definitions.
 * @param prefix Begins the names of what the code declares; each check of a file has another.
 * @throws CallsheetError `unsupported_schema` for a reference to no definition; whatever else cannot be compiled must be
 * found before, with `unsupportedSchema`.
 *
 * @example
 * compileCheck({ type: 'string' }, {}).code
 * // "check((v) => typeof v === 'string', string)"
 */
export function compileCheck(
  schema: Schema,
  definitions: Readonly<Record<string, Schema>>,
  prefix: string = 'check',
): CompiledCheck {
  return compileRoot(schema, definitionReferences(definitions), prefix)
}

/** Compiles a schema with references of any kind. */
export function compileRoot(schema: Schema, references: References, prefix: string = 'check'): CompiledCheck {
  const scope = new Scope(prefix, printVerdict)
  guardPatterns(schema, scope)
  const tree = checkTree(schema, references)
  const verdict = printVerdict(tree, scope)
  const code = `${scope.helper('check')}(${verdict}, ${printReasons(tree, scope)})`
  return { code, ...surroundings(scope) }
}

/** Compiles one of the shared definitions, to be exported as `verdictName(name)` and `reasonsName(name)`. */
export function compileDefinition(
  name: string,
  definitions: Readonly<Record<string, Schema>>,
): CompiledDefinition {
  return compileNamed(name, definitionsOf(definitions), definitions[name])
}

/** Compiles a definition of any kind of references. */
export function compileNamed(
  name: string,
  { trees, revisited }: Definitions,
  schema: Schema = true,
): CompiledDefinition {
  const tree = trees.get(name) ?? { op: 'all', parts: [] }
  const scope = new Scope(name, printVerdict)
  guardPatterns(schema, scope)
  const plain = printVerdict(tree, scope)
  const verdict = revisited.has(name) ? `${scope.helper('rememberVerdict')}(${plain})` : plain
  const reasons = `${scope.helper('rememberStep')}(${printReasons(tree, scope)})`
  return { verdict, reasons, ...surroundings(scope) }
}

/** Patterns that a regular expression could hang on are found otherwise, which must be said before they are used. */
function guardPatterns(schema: Schema, scope: Scope): void {
  for (const pattern of [...patternsIn(schema)].filter(needsGuard)) {
    scope.formatHelpers.add('guardPattern')
    scope.declarations.push(`guardPattern(${stringSource(pattern)})`)
  }
}

/** The reasons of another definition may not have been assigned yet when these are: they are looked up by each call. */
function printReasons(tree: CheckTree, scope: Scope): string {
  return tree.op === 'definition' ? printCallingStep(tree, scope) : printStep(tree, scope)
}

/** The trees of a table of definitions, which are compiled one by one but looked at together. */
function definitionsOf(definitions: Readonly<Record<string, Schema>>): Definitions {
  let known = built.get(definitions)
  if (!known) {
    known = buildDefinitions(Object.keys(definitions), definitionReferences(definitions))
    built.set(definitions, known)
  }
  return known
}

const built = new WeakMap<Readonly<Record<string, Schema>>, Definitions>()

/** The identifiers of definitions that a file imports. */
export function definitionImports({ definitions }: Surroundings): string[] {
  return definitions.flatMap((name) => [reasonsName(name), verdictName(name)])
}

function surroundings(scope: Scope): Surroundings {
  const sorted = (names: Iterable<string>) => [...names].sort(byCodeUnit)
  return {
    declarations: scope.declarations,
    helpers: sorted(scope.helpers),
    formatHelpers: sorted(scope.formatHelpers),
    formats: sorted(scope.formats),
    definitions: sorted(scope.definitions),
  }
}
