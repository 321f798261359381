import { isSafe } from '../../runtime/checks/guard-pattern.ts'
import { isCallsheetError, type Problem } from '../../runtime/errors.ts'
import { pointerSegment } from '../../runtime/json/json-pointer.ts'
import { pointerNames } from '../../runtime/json/pointer-names.ts'
import { lower, satisfiable } from '../../runtime/lower/lower.ts'
import type { JsonSchema, Schema, ToolSchema } from '../../runtime/schema/schema.ts'
import { childPointer, forEachChildSchema } from '../../runtime/schema/schema-children.ts'
import { deadEnds } from '../check/dead-ends.ts'
import { exampleCheck } from '../check/example-problems.ts'
import { slowGroup } from '../check/slow-pattern.ts'
import type { Finding } from '../model.ts'
import { importFinding, quoted } from './import-finding.ts'

/**
 * Refuses schemas that would later fail every generation or hang a process: unsatisfiable ones, and patterns that can hang on
 * a text that nearly matches, or cannot be proven safe. Both are reported at the property.
 */
export function checkImported(
  tool: string,
  schemas: readonly Schema[],
  definitions: Readonly<Record<string, Schema>>,
): Finding[] {
  const slow = [
    ...schemas.flatMap((schema) => slowPatterns(schema, '')),
    ...Object.entries(definitions).flatMap(([name, schema]) =>
      slowPatterns(schema, `/$defs/${pointerSegment(name)}`),
    ),
  ].map(({ pattern, group, pointer }) => {
    const why =
      group === undefined
        ? 'it refers back, counts high, or nests deep'
        : `${quoted(group)} repeats a repetition`
    const where = propertyOf(pointer)
    const owner = where === undefined ? quoted(tool) : `the property ${quoted(where)} of ${quoted(tool)}`
    const message = `The pattern ${quoted(pattern)} of ${owner} can hang: ${why}.`
    return importFinding('import-slow-pattern', message, { tool, pointer })
  })
  // Never run a pattern that can hang, not even to check whether an enum value matches it.
  if (slow.length > 0) return slow
  return deadEnds(schemas, definitions).map(({ pointer, clash }) => {
    const where = propertyOf(pointer)
    const what = where === undefined ? 'the schema' : `the property ${quoted(where)}`
    const message = `Nothing satisfies ${what} of ${quoted(tool)}: it asks for ${clash}.`
    return importFinding('import-unsatisfiable', message, { tool, pointer })
  })
}

/**
 * Refuses parameters whose keywords contradict each other in a way that {@link deadEnds} does not find, and lowering does: because of one
 * such tool, `generate` would refuse all.
 */
export function impossibleParameters(
  tool: string,
  input: JsonSchema,
  definitions: Readonly<Record<string, Schema>>,
): Finding[] {
  // Lowering compares each pattern of names with each property. Where a Call without arguments fits, there is no need.
  const schema = { ...input, type: 'object', $defs: definitions } as ToolSchema // the checks read nothing else
  if (exampleCheck(tool, schema)?.({}).length === 0) return []
  const refused = refusals(schema)
  if (!refused.some(({ path, expected }) => path === '' && expected === satisfiable)) return []
  const message = `Nothing satisfies the schema of ${quoted(tool)}: its keywords contradict each other.`
  return [importFinding('import-unsatisfiable', message, { tool, pointer: '' })]
}

/** Returns why the dialect of generated code by default cannot say a schema. */
function refusals(schema: JsonSchema): readonly Problem[] {
  try {
    lower(schema, 'openai')
    return []
  } catch (error) {
    if (!isCallsheetError(error)) throw error
    return error.problems ?? []
  }
}

/** Returns the innermost property on a pointer's path. */
function propertyOf(pointer: string): string | undefined {
  const segments = pointerNames(pointer)
  const at = segments.lastIndexOf('properties')
  return at === -1 ? undefined : segments[at + 1]
}

interface SlowPattern {
  readonly pattern: string
  /** The group that makes it hang, if known. */
  readonly group: string | undefined
  readonly pointer: string
}

function slowPatterns(schema: Schema, pointer: string): SlowPattern[] {
  if (typeof schema === 'boolean') return []
  const patterns: [pattern: string, pointer: string][] = [
    ...(typeof schema.pattern === 'string'
      ? [[schema.pattern, `${pointer}/pattern`] as [string, string]]
      : []),
    ...Object.keys(schema.patternProperties ?? {}).map((pattern): [string, string] => [
      pattern,
      `${pointer}/patternProperties/${pointerSegment(pattern)}`,
    ]),
  ]
  const found = patterns.flatMap(([pattern, at]) => {
    const group = slowGroup(pattern)
    return group === undefined && isSafe(pattern) ? [] : [{ pattern, group, pointer: at }]
  })
  forEachChildSchema(schema, (child, keyword, key) => {
    if (keyword === '$defs') return
    found.push(...slowPatterns(child, `${pointer}${childPointer(keyword, key)}`))
  })
  return found
}
