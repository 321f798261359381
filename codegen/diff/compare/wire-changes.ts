import { callSchema } from '../../../runtime/schema/call-schema.ts'
import { objectSchema } from '../../../runtime/schema/object-schema.ts'
import { outputSchema } from '../../../runtime/schema/output-schema.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { withoutWording } from '../../../runtime/schema/without-wording.ts'
import { withDefinitions } from '../../emit/tool-schema.ts'
import type { Change, Example, Verdict } from '../change.ts'
import type { Location } from '../containment/prover.ts'
import type { Contained } from '../containment/universe.ts'
import type { ContractTool } from '../contract.ts'
import { describeChange } from './describe-change.ts'
import { type JudgedGap, judgedGaps } from './gaps.ts'
import { makeChange, worst } from './make-change.ts'
import { callMeaning, outputMeaning } from './meaning.ts'
import { schemaAt, schemaPointer } from './schema-at.ts'

/** The half of a Tool that is compared. Calls go to the worker and outputs come back, so their directions are opposite. */
export type Half = 'call' | 'output'

/** Finds the Calls and outputs of a Tool that are no longer valid, or newly valid (DIFF-1: wire). */
export function wireChanges(before: ContractTool, after: ContractTool): Change[] {
  return [...halfChanges('call', before, after), ...outputChanges(before, after)]
}

function halfChanges(half: Half, before: ContractTool, after: ContractTool): Change[] {
  const [old, now] = [containedOf(half, before), containedOf(half, after)]
  const narrowed = judgedGaps(old, now)
  const widened = judgedGaps(now, old)
  const [forward, backward] = half === 'call' ? [narrowed, widened] : [widened, narrowed]
  const places = new Map<
    string,
    { location: readonly string[]; forward: JudgedGap[]; backward: JudgedGap[] }
  >()
  for (const [direction, gaps] of [
    ['forward', forward],
    ['backward', backward],
  ] as const) {
    for (const gap of gaps) {
      const key = JSON.stringify(gap.location)
      const place = places.get(key) ?? { location: gap.location, forward: [], backward: [] }
      place[direction].push(gap)
      places.set(key, place)
    }
  }
  return Array.from(places.values(), ({ location, ...gaps }) => {
    const subject = { half, location, before: schemaOf(half, before), after: schemaOf(half, after) }
    const pointer = `${half === 'output' ? '/properties/_output' : ''}${schemaPointer(location)}`
    return makeChange('wire', after, {
      path: `${half === 'output' ? '/_output' : ''}${location.map((token) => `/${token}`).join('')}`,
      pointer,
      title: describeChange(subject),
      meaning: (half === 'call' ? callMeaning : outputMeaning)(subject, gaps),
      facts: ['values', wholeAt(subject.before, location), wholeAt(subject.after, location)],
      forward: verdictOf(gaps.forward),
      backward: verdictOf(gaps.backward),
      examples: [
        ...examplesOf(half, gaps.forward, 'forward'),
        ...examplesOf(half, gaps.backward, 'backward'),
      ],
    })
  })
}

/** Compares outputs: added, removed or changed. */
function outputChanges(before: ContractTool, after: ContractTool): Change[] {
  const [had, has] = [outputSchema(before.schema), outputSchema(after.schema)]
  if (had === undefined && has === undefined) return []
  if (had !== undefined && has !== undefined) return halfChanges('output', before, after)
  const isNew = had === undefined
  return [
    makeChange('wire', after, {
      path: '/_output',
      pointer: '/properties/_output',
      title: isNew ? 'Output added.' : 'Output removed.',
      facts: ['output', had ?? null, has ?? null],
      meaning: isNew
        ? 'Code that ignores the output works as before. Old workers return nothing to new agents.'
        : 'Code that reads the output finds nothing.',
      forward: isNew ? 'safe' : 'breaks',
      backward: isNew ? 'breaks' : 'safe',
      examples: [],
    }),
  ]
}

function containedOf(half: Half, tool: ContractTool): Contained {
  const schema = half === 'call' ? callSchema(tool.schema).schema : (outputSchema(tool.schema) ?? true)
  return { schema, definitions: tool.schema.$defs ?? {} }
}

function schemaOf(half: Half, { schema }: ContractTool): JsonSchema {
  if (half === 'call') return schema
  const output = outputSchema(schema)
  return typeof output === 'object' ? output : {}
}

/** Returns the complete schema of a location, with its definitions; null if the schema does not declare it. */
function wholeAt(root: JsonSchema, location: Location): Schema | null {
  const part = schemaAt(root, location)
  return part ? withoutWording(withDefinitions(objectSchema(part.schema), root.$defs ?? {})) : null
}

function verdictOf(gaps: readonly JudgedGap[]): Verdict {
  return worst(gaps.map(({ verdict }) => verdict))
}

/** Attributes examples to a side: Calls go from agent to worker, and outputs the other way. */
function examplesOf(half: Half, gaps: readonly JudgedGap[], direction: 'forward' | 'backward'): Example[] {
  const of = (half === 'call') === (direction === 'forward') ? 'before' : 'after'
  const [shown] = gaps.flatMap(({ example }) => (example ? [{ of, value: example.value } as const] : []))
  return shown ? [shown] : []
}
