import { readableData } from '../../compose/readable.ts'
import { copyJson } from '../../json/json-copy.ts'
import type { ToolSchema } from '../../schema/schema.ts'
import type { ReadSolution } from '../ideas/solution.ts'
import type { AnswerFormat, SolutionFormatOptions } from './answer-format.ts'

type Format = AnswerFormat<ReadSolution>

/** Formats kept per first Tool: agents whose contexts hold different data take turns with the same Tools. */
const mostFormats = 8

/** Longest key of a kept format, in characters. It contains the readable data of the context. */
const longestKey = 200_000

/** Formats by first Tool, so that they are dropped with its registry, and then by key; the least recently used first. */
const formats = new WeakMap<ToolSchema, Map<string, Format>>()

const numbers = new WeakMap<ToolSchema, number>()
let lastNumber = 0

/**
 * Reuses the format of an earlier Request with the same Tools and options: composing and lowering a hundred Tools takes longer than
 * the rest of a turn. What is sent is copied, since a client may change it.
 */
export function keptFormat(options: SolutionFormatOptions, make: () => Format): Format {
  const { tools } = options
  const first = tools[0]?.schema
  // The schemas of a registry are frozen. Others may have changed since.
  if (!first || !tools.every(({ schema }) => Object.isFrozen(schema))) return make()
  const key = keyOf(options)
  if (key.length > longestKey) return make()
  const known = formats.get(first) ?? new Map<string, Format>()
  formats.set(first, known)
  const format = known.get(key) ?? withFrozenSchema(make())
  known.delete(key)
  known.set(key, format)
  for (const oldest of known.keys()) if (known.size > mostFormats) known.delete(oldest)
  const { schema, tools: sent } = format
  return { ...format, ...(schema && { schema: copyJson(schema) }), ...(sent && { tools: copyJson(sent) }) }
}

/** The declared schema is not copied for each Request, though engines receive it. */
function withFrozenSchema(format: Format): Format {
  return { ...format, declared: copyJson(format.declared, true) }
}

/** Returns everything that a format depends on, as text. */
function keyOf({ tools, compose, deferral, ...others }: SolutionFormatOptions): string {
  const { context = [], ...composition } = compose
  const offered = tools.map(({ schema, ...facts }) => [numberOf(schema), facts])
  const deferred = deferral && [deferral.way, ...deferral.names]
  return JSON.stringify([others, composition, deferred, readableData(context), offered])
}

function numberOf(schema: ToolSchema): number {
  const known = numbers.get(schema) ?? ++lastNumber
  numbers.set(schema, known)
  return known
}
