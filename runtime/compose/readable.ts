import { type AnyDataMessage, dataOf, isDataMessage, type Message, messageKind } from '../context/message.ts'
import { isJsonObject, own } from '../json/json.ts'
import { fixedValue } from '../schema/fixed-value.ts'
import type { Schema } from '../schema/schema.ts'
import type { ComposableTool } from './composable.ts'
import { knownDefinitions } from './definitions.ts'
import { ReadableValues } from './readable-values.ts'

/** The sources of values that Calls can read. */
export interface ReadableSources {
  readonly tools: readonly ComposableTool[]
  /** The context before the first Call. */
  readonly context?: readonly Message[] | undefined
  /** The schemas that a project declares with `defineContext`, by kind. */
  readonly kinds?: Readonly<Record<string, Schema | object | undefined>> | undefined
  /** Definitions that the Tools and the kinds share. */
  readonly definitions?: Readonly<Record<string, Schema>> | undefined
}

/**
 * Collects the readable values (REF-5): the outputs of Tools that can write, the data in the context, and the data that the project
 * declares. Empty if no Reference could resolve.
 *
 * Results shown to the model are left out, since they are answers rather than state; so is the data written by Calls, which is
 * known from their Tools. The schema therefore stays the same from turn to turn, and a provider's cache stays valid.
 */
export function readableValues({
  tools,
  context = [],
  kinds = {},
  definitions = {},
}: ReadableSources): ReadableValues {
  const values = new ReadableValues()
  for (const tool of tools) addWrites(tool, definitions, values)
  for (const data of readableData(context)) values.addValue(data)
  for (const schema of Object.values(kinds)) {
    const local = isJsonObject(schema)
      ? (own(schema, '$defs') as Record<string, Schema> | undefined)
      : undefined
    if (schema !== undefined) values.addSchema(schema as Schema, { ...definitions, ...local })
  }
  return values
}

/** Lists the data of a context that counts as readable, each under its kind. */
export function readableData(context: readonly Message[]): unknown[] {
  return context.flatMap((message) =>
    isDataMessage(message) && message._call === undefined && messageKind(message) !== 'result'
      ? [wholeOf(message)]
      : [],
  )
}

/** The schema of a failure, which is written to the last alternative path (OUT-6). */
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

/** Returns the data of a Message in an object, under its kind. */
function wholeOf(message: AnyDataMessage): unknown {
  return { [messageKind(message)]: dataOf(message) }
}
