import type { Dialect, Limit, Measure } from '../dialects/dialect.ts'
import type { DialectName } from '../dialects/dialect-name.ts'
import { byCodeUnit, isJsonObject } from '../json/json.ts'
import { grouped } from '../problems/grouped.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { forEachChildSchema } from '../schema/schema-children.ts'
import { composedBranches, toolName } from './composed-tools.ts'

/** A limit of a dialect, and how much of it a schema uses (REQ-5a). */
export interface Usage {
  readonly dialect: DialectName
  readonly limit: Measure
  readonly value: number
  readonly max: number
  /** `near`: at least four fifths of the limit. */
  readonly status: 'ok' | 'near' | 'over'
  /** Exceeding a `documented` limit fails generation; exceeding an `observed` one only warns. */
  readonly severity: 'documented' | 'observed'
  /** The contribution of each Tool, largest first; shared definitions and the envelope have names in brackets. */
  readonly shares: readonly Share[]
  /** The cheapest remedy, if the limit is near or exceeded. */
  readonly advice?: string
  readonly source: string
  readonly reviewedAt: string
}

/** What one Tool contributes to a limit. */
export interface Share {
  readonly tool: string
  readonly value: number
}

const near = 0.8

/** Most Tools that an advice names; the others are counted. */
const mostNamed = 5

/** Descriptions of what each limit counts. */
const labels: Readonly<Record<Measure, string>> = {
  properties: 'object properties',
  depth: 'levels of nesting',
  nameCharacters: 'characters of names, enum and const values',
  enumValues: 'enum values',
  largeEnumCharacters: 'characters in one enum of more than 250 values',
  strictTools: 'strict tools',
  optionalParameters: 'optional properties',
  unions: 'unions',
  nullableProperties: 'nullable properties in one object',
  bytes: 'bytes of schema',
  objects: 'object schemas',
  maxItemsSum: 'items that maxItems allows, summed',
  tools: 'tools',
  nameLength: 'characters in a tool name',
}

/** Measures whose maximum counts; all others are summed. */
const largestCounts: ReadonlySet<Measure> = new Set([
  'depth',
  'largeEnumCharacters',
  'nullableProperties',
  'nameLength',
])

/** The value of each measure for one schema. */
export type Counts = Record<Measure, number>

/** The counts of a schema, and the Tool that they count for. */
export interface Part {
  readonly tool: string
  readonly counts: Counts
}

export interface UsageContext {
  readonly tool: string | undefined
  readonly use: 'composed' | 'native'
}

/** Measures a lowered schema, composed or of one Tool, against the dialect's limits. */
export function usageOf(schema: JsonSchema, dialect: Dialect, { tool, use }: UsageContext): Usage[] {
  if (dialect.limits.length === 0) return []
  return usageOfParts(partsOf(schema, tool), dialect, use, { bytes: bytesOf(schema) })
}

/**
 * Measures several schemas that are sent together.
 *
 * @param whole Counts of all parts together that are not the sum of theirs.
 */
export function usageOfParts(
  parts: readonly Part[],
  dialect: Dialect,
  use: 'composed' | 'native',
  whole: Partial<Counts> = {},
): Usage[] {
  const limits = dialect.limits.filter(({ appliesTo }) => appliesTo === undefined || appliesTo === use)
  if (limits.length === 0) return []
  return limits.map((limit) => {
    const shares = parts
      .map(({ tool, counts }) => ({ tool, value: counts[limit.measure] }))
      .filter(({ value }) => value > 0)
      .sort((left, right) => right.value - left.value || byCodeUnit(left.tool, right.tool))
    const values = shares.map(({ value }) => value)
    const value =
      whole[limit.measure] ??
      (largestCounts.has(limit.measure)
        ? Math.max(0, ...values)
        : values.reduce((sum, next) => sum + next, 0))
    return usage(limit, dialect.name, value, shares)
  })
}

function usage(limit: Limit, dialect: DialectName, value: number, shares: readonly Share[]): Usage {
  const { measure, max, severity, source, reviewedAt } = limit
  const status = value > max ? 'over' : value >= near * max ? 'near' : 'ok'
  const advice = status === 'ok' ? undefined : adviceFor(limit, value, shares)
  return {
    dialect,
    limit: measure,
    value,
    max,
    status,
    severity,
    shares,
    ...(advice !== undefined && { advice }),
    source,
    reviewedAt,
  }
}

/** Returns the fewest Tools whose removal brings the value under the limit: the largest ones first. */
function adviceFor({ measure, max }: Limit, value: number, shares: readonly Share[]): string {
  const figure = `${grouped(value)} of ${grouped(max)} ${labels[measure]}`
  const tools = shares.filter(({ tool }) => !tool.startsWith('('))
  const naming = (list: readonly Share[]): string => {
    const named = list.slice(0, mostNamed).map(({ tool, value: share }) => `${tool} (${grouped(share)})`)
    return `${named.join(', ')}${list.length > mostNamed ? ` and ${list.length - mostNamed} more` : ''}`
  }
  if (value <= max) return `${figure}; most of it in ${naming(tools.slice(0, 3))}.`
  if (largestCounts.has(measure)) {
    return `${figure}: simplify ${naming(tools.filter((share) => share.value > max))}.`
  }
  let left = value
  const leaving: Share[] = []
  for (const share of tools) {
    if (left <= max) break
    leaving.push(share)
    left -= share.value
  }
  if (left > max || leaving.length === tools.length) return `${figure}: send these Tools as native tools.`
  return `${figure}: without ${naming(leaving)} it is ${grouped(left)}. Send those in a Request of their own, or all as native tools.`
}

/** Splits a composed schema by Tool, shared definition, and the rest; any other schema is one part. */
function partsOf(schema: JsonSchema, tool: string | undefined): Part[] {
  const { $defs = {}, ...root } = schema
  const shared = Object.entries($defs).map(([name, definition]) => ({
    tool: `(definition ${name})`,
    // The definition's name counts too, like the one property of a wrapper.
    counts: countSchema({ $defs: { [name]: definition } }, -1),
  }))
  const branches = composedBranches(schema)
  if (branches.length === 0) return [{ tool: tool ?? '(schema)', counts: countSchema(root) }, ...shared]
  return [
    ...branches.map((branch) => ({
      tool: (typeof branch === 'boolean' ? undefined : toolName(branch)) ?? '(unnamed)',
      // Below the root, `calls`, its items and the union.
      counts: countSchema(branch, 3),
    })),
    { tool: '(envelope)', counts: countSchema(withoutBranches(root)) },
    ...shared,
  ]
}

function withoutBranches(root: JsonSchema): JsonSchema {
  return { ...root, properties: { ...root.properties, calls: { type: 'array', items: { anyOf: [] } } } }
}

function bytesOf(schema: Schema): number {
  return new TextEncoder().encode(JSON.stringify(schema)).length
}

/**
 * Computes all counts in one pass. Depth: the root is level 0, each property, item and branch one more; references are
 * not followed.
 */
export function countSchema(schema: Schema, start: number = 0): Counts {
  const counts: Counts = {
    properties: 0,
    depth: start,
    nameCharacters: 0,
    enumValues: 0,
    largeEnumCharacters: 0,
    strictTools: 0,
    optionalParameters: 0,
    unions: 0,
    nullableProperties: 0,
    bytes: bytesOf(schema),
    objects: 0,
    maxItemsSum: 0,
    tools: 1,
    nameLength: 0,
  }
  countNode(schema, start, counts)
  return counts
}

function countNode(schema: Schema, depth: number, counts: Counts): void {
  if (!isJsonObject(schema)) return
  const node = schema as JsonSchema
  counts.depth = Math.max(counts.depth, depth)
  countConstants(node, counts)
  countObject(node, counts)
  if (node.anyOf || Array.isArray(node.type)) counts.unions++
  if (typeof node.maxItems === 'number') counts.maxItemsSum += node.maxItems
  forEachChildSchema(node, (child, keyword, key) => {
    if (keyword === '$defs') counts.nameCharacters += key?.length ?? 0
    countNode(child, depth + 1, counts)
  })
}

function countConstants(node: JsonSchema, counts: Counts): void {
  const length = (value: unknown): number =>
    typeof value === 'string' ? value.length : JSON.stringify(value).length
  if (node.const !== undefined) counts.nameCharacters += length(node.const)
  if (!node.enum) return
  const characters = node.enum.reduce((sum: number, value) => sum + length(value), 0)
  counts.nameCharacters += characters
  counts.enumValues += node.enum.length
  // Of an optional property, the enum has null too.
  const texts = node.enum.filter((value) => value !== null)
  if (texts.length > 250 && texts.every((value) => typeof value === 'string')) {
    counts.largeEnumCharacters = Math.max(counts.largeEnumCharacters, texts.join('').length)
  }
}

function countObject(node: JsonSchema, counts: Counts): void {
  if (node.type === 'object' || (Array.isArray(node.type) && node.type.includes('object'))) counts.objects++
  if (!node.properties) return
  const entries = Object.entries(node.properties)
  const required = new Set(node.required)
  counts.properties += entries.length
  counts.optionalParameters += entries.filter(([name]) => !required.has(name)).length
  for (const [name] of entries) counts.nameCharacters += name.length
  counts.nullableProperties = Math.max(
    counts.nullableProperties,
    entries.filter(([, child]) => isNullable(child)).length,
  )
}

function isNullable(schema: Schema): boolean {
  if (!isJsonObject(schema)) return false
  const { type, anyOf } = schema as JsonSchema
  return (
    (Array.isArray(type) ? type.includes('null') : type === 'null') ||
    (anyOf ?? []).some((branch) => isNullable(branch))
  )
}
