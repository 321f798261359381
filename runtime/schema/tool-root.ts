import { isJsonObject } from '../json/json.ts'
import { isMetaField } from './meta-fields.ts'
import { olderDelegateName } from './older-delegate-name.ts'
import type { JsonSchema, Schema } from './schema.ts'
import type { ReportProblem } from './schema-problem.ts'

/**
 * Completes the root of a Tool (TOOL-1): `_tool` becomes the first property and is required, and `_module` is renamed to
 * its current name.
 */
export function toolRoot(name: string, root: JsonSchema, report: ReportProblem): JsonSchema {
  const { type = 'object', properties = {}, required = [], ...rest } = root
  if (type !== 'object') reportType(type, report)
  reportConstant(name, rest, report)
  const { _tool, ...others } = withNewerDelegate(properties, report)
  return {
    type: 'object',
    ...rest,
    properties: { _tool: nameSchema(name, _tool, report), ...others },
    required: [
      ...new Set(['_tool', ...required.map((key) => (key === olderDelegateName ? '_delegate' : key))]),
    ],
  }
}

/** The runtime reads these meta-fields by looking at their schema, so they hold no reference. */
export function isReadInPlace(key: string): boolean {
  return isMetaField(key) && key !== '_output'
}

function nameSchema(name: string, declared: Schema | undefined, report: ReportProblem): JsonSchema {
  if (!isJsonObject(declared)) return { type: 'string', const: name }
  const { enum: values, ...rest } = declared as JsonSchema
  const literal = rest.const ?? values?.[0]
  if (literal !== undefined && literal !== name) {
    report({
      rule: 'name-mismatch',
      pointer: '/properties/_tool',
      message: `"_tool" says ${JSON.stringify(literal)}, and the Tool registers as "${name}".`,
      fix: 'Use one name in both places.',
    })
  }
  return { type: 'string', ...rest, const: name }
}

function withNewerDelegate(
  properties: Record<string, Schema>,
  report: ReportProblem,
): Record<string, Schema> {
  if (!Object.hasOwn(properties, olderDelegateName)) return properties
  if (Object.hasOwn(properties, '_delegate')) {
    report({
      rule: 'delegate-twice',
      pointer: `/properties/${olderDelegateName}`,
      message: '"_module" is the older name of "_delegate", and both are declared.',
      fix: 'Keep "_delegate".',
    })
  }
  const renamed = Object.entries(properties).map(([name, schema]) => [
    name === olderDelegateName ? '_delegate' : name,
    schema,
  ])
  return Object.fromEntries(renamed)
}

/** Reports values of a whole Call that are of another Tool, mostly since they have the parameters only: no Call could run. */
function reportConstant(name: string, root: JsonSchema, report: ReportProblem): void {
  for (const [keyword, values] of Object.entries({ const: [root.const], enum: root.enum })) {
    const isOfCall = (value: unknown): boolean => isJsonObject(value) && value._tool === name
    if (!Object.hasOwn(root, keyword) || !Array.isArray(values) || values.some(isOfCall)) continue
    report({
      rule: 'malformed-tool',
      pointer: `/${keyword}`,
      message: `\`${keyword}\` is for the whole Call, and allows none with "_tool": "${name}".`,
      fix: 'Declare the values that a parameter may have in its own schema.',
    })
  }
}

function reportType(type: unknown, report: ReportProblem): void {
  report({
    rule: 'malformed-tool',
    pointer: '/type',
    message: `a Tool is an object, and this one has the type ${JSON.stringify(type)}.`,
    fix: 'Declare it with tool(…) or Type.Object(…).',
  })
}
