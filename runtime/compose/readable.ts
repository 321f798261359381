import { type AnyDataMessage, dataOf, isDataMessage, type Message, messageKind } from '../context/message.ts'
import { isJsonObject, own } from '../json/json.ts'
import { fixedValue } from '../schema/fixed-value.ts'
import type { Schema } from '../schema/schema.ts'
import type { ComposableTool } from './composable.ts'
import { knownDefinitions } from './definitions.ts'
import { ReadableValues } from './readable-values.ts'

/** Where values come from that Calls can read. */
export interface ReadableSources {
  readonly tools: readonly ComposableTool[]
  /** What is there before the first Call. */
  readonly context?: readonly Message[] | undefined
  /** What a project declares of its contexts: `defineContext`, by kind. */
  readonly kinds?: Readonly<Record<string, Schema | object | undefined>> | undefined
  /** Definitions that the Tools and the kinds share. */
  readonly definitions?: Readonly<Record<string, Schema>> | undefined
}

/**
 * Collects what can be read (REF-5): the outputs of Tools that can write, what the context holds, and what the project
 * declares. Empty where no Reference could stand for anything.
 *
 * Results that the loop shows the model are left out, and so is what Calls wrote: the former are answers rather than
 * state, the latter are known from their Tools. So the schema stays the same from turn to turn, and a provider's cache holds.
 */
export function readableValues({
  tools,
  context = [],
  kinds = {},
  definitions = {},
}: ReadableSources): ReadableValues {
  const values = new ReadableValues()
  for (const tool of tools) addWrites(tool, definitions, values)
  for (const message of context) {
    if (isDataMessage(message) && message._call === undefined && messageKind(message) !== 'result') {
      values.addValue(wholeOf(message))
    }
  }
  for (const schema of Object.values(kinds)) {
    const local = isJsonObject(schema)
      ? (own(schema, '$defs') as Record<string, Schema> | undefined)
      : undefined
    if (schema !== undefined) values.addSchema(schema as Schema, { ...definitions, ...local })
  }
  return values
}

/** What an alternative path takes of a Call that failed (OUT-6). */
const failure: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
}

function addWrites(
  tool: ComposableTool,
  shared: Readonly<Record<string, Schema>>,
  values: ReadableValues,
): void {
  const declared = tool.schema.properties ?? {}
  const output = own(declared, '_output') as Schema | undefined
  const path = own(declared, '_outputPath')
  if (output === undefined || path === undefined) return
  const definitions = knownDefinitions(tool, shared)
  values.addSchema(output, definitions)
  const fixedPath = fixedValue(path)
  if (typeof fixedPath !== 'string' || fixedPath.includes('||')) values.addSchema(failure, {})
  const method = own(declared, '_outputMethod')
  const fixedMethod = method === undefined ? 'set' : fixedValue(method)
  const collects = fixedMethod !== 'set' && fixedMethod !== 'merge' && fixedMethod !== 'assign'
  if (collects) values.addSchema({ type: 'array', items: output }, definitions)
}

/** What a Message holds, as its kind. */
function wholeOf(message: AnyDataMessage): unknown {
  return { [messageKind(message)]: dataOf(message) }
}
