import type { DialectName } from '../../runtime/dialects/dialect-name.ts'
import { byCodeUnit, isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { composedBranches, toolName } from '../../runtime/lower/composed-tools.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { providerSafeName } from '../../runtime/schema/tool-name.ts'
import type { DialectOutput } from '../emit/dialects.ts'
import type { CountTokens } from '../explain/token-counter.ts'

/** The size of a part of the schema or tool list that a model receives. */
export interface Weight {
  /** UTF-8 bytes of its JSON, without white space. */
  readonly bytes: number
  /** undefined if no tokenizer is installed. */
  readonly tokens: number | undefined
}

/** The size of the Tools in one dialect. */
export interface DialectWeight extends Weight {
  readonly dialect: DialectName
  /** Largest first. The sum of these and `shared` is the total. */
  readonly tools: readonly (Weight & { readonly tool: string })[]
  /** Shared definitions, and the schema around the Tools. */
  readonly shared: Weight
}

/**
 * Measures the output of a dialect, Tool by Tool; undefined if the dialect cannot express the Tools.
 *
 * @param names The Tools' own names: native tool lists contain them in a provider-safe form.
 */
export function weighDialect(
  { dialect, file }: DialectOutput,
  names: readonly string[],
  count: CountTokens | undefined,
): DialectWeight | undefined {
  if (!file) return undefined
  const parts = partsOf(JSON.parse(file.text), names)
  const weigh = (value: unknown): Weight => weightOf(JSON.stringify(value), count)
  const tools = parts.tools
    .map(({ tool, value }) => ({ tool, ...weigh(value) }))
    .sort(
      (left, right) =>
        (right.tokens ?? right.bytes) - (left.tokens ?? left.bytes) || byCodeUnit(left.tool, right.tool),
    )
  const shared = weigh(parts.rest)
  const all = [...tools, shared]
  return {
    dialect,
    tools,
    shared,
    bytes: sum(all.map(({ bytes }) => bytes)),
    tokens: count && sum(all.map(({ tokens = 0 }) => tokens)),
  }
}

function weightOf(text: string, count: CountTokens | undefined): Weight {
  return { bytes: Buffer.byteLength(text), tokens: count?.(text) }
}

interface Parts {
  readonly tools: readonly { readonly tool: string; readonly value: unknown }[]
  readonly rest: unknown
}

/** Splits a composed schema into branches and the rest, or a native tool list into its entries. */
function partsOf(whole: unknown, names: readonly string[]): Parts {
  const bySafeName = new Map(names.map((name) => [providerSafeName(name), name]))
  if (Array.isArray(whole)) {
    const listed: unknown[] = whole.flatMap((entry) =>
      isJsonObject(entry) && Array.isArray(entry.functionDeclarations) ? entry.functionDeclarations : [entry],
    )
    return { tools: listed.map((value) => ({ tool: nativeName(value, bySafeName), value })), rest: [] }
  }
  const schema = whole as JsonSchema
  const branches = composedBranches(schema)
  const calls = schema.properties?.calls as JsonObject
  const items = calls?.items as JsonObject | undefined
  const rest = {
    ...schema,
    properties: { ...schema.properties, calls: { ...calls, items: { ...items, anyOf: [] } } },
  }
  return {
    tools: branches.map((value) => ({
      tool: (typeof value === 'object' ? toolName(value) : undefined) ?? '',
      value,
    })),
    rest,
  }
}

function nativeName(entry: unknown, bySafeName: ReadonlyMap<string, string>): string {
  const named = isJsonObject(entry) && isJsonObject(entry.function) ? entry.function : entry
  const name = isJsonObject(named) ? String(named.name) : ''
  return bySafeName.get(name) ?? name
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
