import { createRegistry, type Outcome } from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wireChanges } from '../../codegen/diff/compare/wire-changes.ts'
import { proveContained } from '../../codegen/diff/containment/prove.ts'
import { Universe } from '../../codegen/diff/containment/universe.ts'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema, ToolSchema } from '../../runtime/schema/schema.ts'
import { wireText } from '../../runtime/schema/wire-form.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { made } from './made.ts'
import { mutualDefinitions, valuesTo } from './mutual-definitions.ts'
import { overlappingSchema, overlappingValue } from './overlapping-schema.ts'
import { recursiveCase } from './recursive-schema.ts'

const seen = { safe: 0, open: 0, taken: 0 }

const schema: fc.Arbitrary<JsonSchema> = fc.oneof(
  everyKeywordSchema,
  overlappingSchema.map((each): JsonSchema => (typeof each === 'boolean' ? { allOf: [each] } : each)),
  recursiveCase.map((each) => each.schema),
)

/** The schema with one of its parts, wherever it stands, loosened, tightened, or combined with a part of another. */
function changed(given: JsonSchema, at: number, how: number, other: JsonSchema): JsonSchema {
  const copy = structuredClone(given)
  const parts: JsonSchema[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isJsonObject(value)) return
    parts.push(value as JsonSchema)
    Object.values(value).forEach(visit)
  }
  visit(copy)
  const part = parts[at % parts.length] ?? copy
  const { $defs: _definitions, ...added } = other
  const keywords = Object.keys(part).filter((key) => key !== '$defs')
  const ways: readonly (() => void)[] = [
    () => Object.assign(part, added),
    () => {
      const old = Object.fromEntries(keywords.map((key) => [key, part[key]]))
      for (const key of keywords) delete part[key]
      part.anyOf = [old, added]
    },
    () => Object.assign(part, { allOf: [...(part.allOf ?? []), added] }),
    () => Object.assign(part, { not: added }),
  ]
  const way = ways[how % 10]
  if (way) {
    way()
    return copy
  }
  const keyword = keywords[how % (keywords.length || 1)]
  if (keyword === undefined) return { ...copy, minProperties: 1 }
  const value = part[keyword]
  if (typeof value === 'number') part[keyword] = value + 1
  else if (Array.isArray(value) && value.length > 1) part[keyword] = value.slice(1)
  else delete part[keyword]
  return copy
}

const pair = fc
  .tuple(schema, schema, fc.nat(), fc.nat(), fc.boolean(), fc.boolean())
  .map(([first, other, at, how, isOther, isTurned]): [JsonSchema, JsonSchema] => {
    const second = isOther ? other : changed(first, at, how, other)
    return isTurned ? [second, first] : [first, second]
  })

fuzz(
  'DIFF-2 what is called compatible is: each value that the one schema takes, the other takes as well',
  60,
  fc.tuple(
    pair,
    fc.array(choices, { minLength: 12, maxLength: 12 }),
    fc.array(overlappingValue, { minLength: 6, maxLength: 6 }),
  ),
  ([[first, second], recipes, others]) => {
    const [accepts, takes] = [made(() => interpretCheck(first)), made(() => interpretCheck(second))]
    if (!accepts || !takes) return
    const { $defs: before = {}, ...old } = first
    const { $defs: after = {}, ...now } = second
    const universe = new Universe(
      { schema: old as Schema, definitions: before },
      { schema: now as Schema, definitions: after },
    )
    if (universe.obstacle !== undefined) return
    if (proveContained(universe).length > 0) return void seen.open++
    seen.safe++
    const values = recipes.flatMap((recipe) => [nearValue(first, recipe), nearValue(second, recipe)])
    for (const value of [...values, ...others]) {
      if (!accepts(value)) continue
      seen.taken++
      expect(takes(value), JSON.stringify({ first, second, value })).toBe(true)
    }
  },
)

const values = valuesTo(2)
const mutual = { safe: 0, taken: 0 }

fuzz(
  'DIFF-2 the same for definitions that refer to each other, and all small values',
  400,
  fc.tuple(mutualDefinitions, mutualDefinitions, fc.nat(), fc.nat(), fc.boolean()),
  ([first, other, at, how, isTurned]) => {
    const second = changed(first, at, how, { anyOf: [other.$defs?.B ?? true] })
    const [before, after] = isTurned ? [second, first] : [first, second]
    const [accepts, takes] = [made(() => interpretCheck(before)), made(() => interpretCheck(after))]
    if (!accepts || !takes) return
    const side = ({ $defs = {}, ...schema }: JsonSchema) => ({ schema, definitions: $defs })
    const universe = new Universe(side(before), side(after))
    if (universe.obstacle !== undefined || proveContained(universe).length > 0) return
    mutual.safe++
    for (const value of values) {
      if (!accepts(value)) continue
      mutual.taken++
      expect(takes(value), JSON.stringify({ before, after, value })).toBe(true)
    }
  },
)

const toolSeen = { safe: 0, same: 0, taken: 0 }

/** Words that change nothing of what is valid, wherever they stand. */
const wording: JsonSchema = { title: 'T', description: 'D', examples: [1], default: 'x', $comment: 'C' }

/** A Tool of up to three parameters, one of which has the name of a keyword, and an output. */
const toolSchema: fc.Arbitrary<ToolSchema> = fc
  .record({
    parameters: fc.dictionary(fc.constantFrom('a', 'b', 'description', 'default'), schema, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    output: fc.option(schema, { nil: undefined, freq: 4 }),
    required: fc.subarray(['a', 'b', 'description', 'default']),
    isClosed: fc.boolean(),
    meta: fc.subarray(['_outputPath', '_reasoningForCall', '_instance', '_output']),
  })
  .map(({ parameters, output, required, isClosed, meta }): ToolSchema => {
    const inner = (each: JsonSchema): Schema => {
      const { $defs: _definitions, ...rest } = each
      return rest as Schema
    }
    const [first] = [...Object.values(parameters), output].flatMap((each) => each?.$defs ?? [])
    const text = { type: 'string' } as const
    return {
      type: 'object',
      properties: {
        _tool: { const: 't' },
        ...Object.fromEntries(Object.entries(parameters).map(([key, each]) => [key, inner(each)])),
        ...(meta.includes('_outputPath') && { _outputPath: text }),
        ...(meta.includes('_reasoningForCall') && { _reasoningForCall: text }),
        ...(output !== undefined && { _output: inner(output) }),
      },
      required: ['_tool', ...required.filter((key) => Object.hasOwn(parameters, key))],
      ...(isClosed && { additionalProperties: false }),
      ...(isJsonObject(first) && { $defs: first as Record<string, Schema> }),
    }
  })

/** The schema of one of a Tool's parameters, if it is an object. */
function partOf({ properties = {} }: ToolSchema): JsonSchema {
  return Object.values(properties).findLast((each) => isJsonObject(each)) ?? {}
}

const kinds = fc.constantFrom('words', 'words', 'words', 'part', 'part', 'part', 'other', 'off')

/** A Tool with its words, its options, or a part of it changed. */
const toolPair = fc
  .tuple(toolSchema, toolSchema, fc.nat(), fc.nat(), kinds)
  .map(([first, other, at, how, kind]): [ToolSchema, ToolSchema] => {
    if (kind === 'other') return [first, other]
    if (kind === 'off') return [first, { ...first, effects: 'read', additionalProperties: how % 2 === 0 }]
    if (kind === 'part') {
      const { _tool, ...rest } = first.properties ?? {}
      const second = changed({ ...first, properties: rest }, at, how, partOf(other)) as ToolSchema
      return [first, { ...second, type: 'object', properties: { _tool: _tool ?? {}, ...second.properties } }]
    }
    const worded = structuredClone(first) as JsonSchema
    const parts = Object.values(worded.properties ?? {}).filter((part) => isJsonObject(part))
    for (const part of parts) Object.assign(part, wording)
    return [first, { ...worded, description: 'Other words.' } as ToolSchema]
  })

fuzz(
  'DIFF-1, DIFF-2 what is said of a Tool holds for its Calls and outputs, and the same contract is the same to both sides',
  25,
  fc.tuple(toolPair, fc.array(choices, { minLength: 6, maxLength: 6 })),
  async ([[first, second], recipes]) => {
    const sides = [first, second].map((each) => {
      let output: unknown
      const registry = made(() => {
        const made = createRegistry({ tools: { t: each } })
        made.Activity.register('t', () => output)
        return made as never
      }) as ReturnType<typeof createRegistry> | undefined
      return (call: unknown, gives?: unknown): Promise<Outcome> | undefined => {
        output = gives
        return (
          registry &&
          (registry.Tool as { run: (call: unknown, options: object) => Promise<Outcome> }).run(call, {
            references: false,
          })
        )
      }
    })
    const [before, after] = sides as [(typeof sides)[0], (typeof sides)[0]]
    const tool = (each: ToolSchema) => ({ name: 't', schema: each, activity: 't' })
    if (!before({ _tool: 't' }) || !after({ _tool: 't' })) return
    // References to the whole are definitions by the time that two states are compared.
    if (JSON.stringify([first, second]).includes('"$ref":"#"')) return
    if (!made(() => interpretCheck(first)) || !made(() => interpretCheck(second))) return
    const wire = wireChanges(tool(first), tool(second))
    const isSame = wireText(first) === wireText(second)
    if (isSame) {
      toolSeen.same++
      expect(wire, JSON.stringify({ first, second })).toEqual([])
    }
    const isCallOf = (change: (typeof wire)[number]): boolean => !/^\/_output(?:\/|$)/.test(change.path)
    const holds = (order: 'worker-first' | 'agent-first', isCall: boolean): boolean =>
      wire.every((change) => isCallOf(change) !== isCall || change.verdicts[order] === 'safe')
    const takes = async (side: typeof before, call: unknown): Promise<boolean> =>
      [undefined, 'invalid_output'].includes((await side(call))?.error?.code)
    const gives = async (side: typeof before, call: unknown, output: unknown): Promise<boolean> =>
      (await side(call, output))?.status === 'succeeded'
    const values = recipes.flatMap((recipe) => [nearValue(first, recipe), nearValue(second, recipe)])
    for (const value of values) {
      const call = { ...(isJsonObject(value) ? value : {}), _tool: 't' }
      const [was, is] = [await takes(before, call), await takes(after, call)]
      const shown = JSON.stringify({ first, second, call, wire: wire.map(({ title }) => title) })
      if (was) toolSeen.taken++
      if (was && holds('worker-first', true)) expect(is, `worker first: ${shown}`).toBe(true)
      if (is && holds('agent-first', true)) expect(was, `agent first: ${shown}`).toBe(true)
      if (wire.length === 0) toolSeen.safe++
      if (!was || !is) continue
      for (const recipe of recipes.slice(0, 4)) {
        for (const schema of [first, second].flatMap((each) => each.properties?._output ?? [])) {
          const output = nearValue(
            { ...(schema as JsonSchema), ...(first.$defs && { $defs: first.$defs }) },
            recipe,
          )
          const told = `${shown} output ${JSON.stringify(output)}`
          const [by, now] = [await gives(before, call, output), await gives(after, call, output)]
          // A worker of today gives to an agent of yesterday, and the other way round.
          if (now && holds('worker-first', false)) expect(by, `worker first: ${told}`).toBe(true)
          if (by && holds('agent-first', false)) expect(now, `agent first: ${told}`).toBe(true)
        }
      }
    }
  },
)

test('the pairs above are of both kinds', () => {
  for (const count of [seen, toolSeen, mutual].flatMap((each) => Object.values(each)))
    expect(count).toBeGreaterThan(often(5))
})
