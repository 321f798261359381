import fc from 'fast-check'
import { expect } from 'vitest'
import type { Call, Message } from '../../runtime/context/message.ts'
import { readerOf } from '../../runtime/context/state.ts'
import { IncomingPlan } from '../../runtime/plan/incoming-plan.ts'
import { isPresent, isUnblocked, planGraph } from '../../runtime/plan/plan-graph.ts'
import { readsOf, withoutUnderscore } from '../../runtime/plan/reads.ts'
import { fuzz } from './campaign.ts'

const path = fc.constantFrom(
  '†state',
  '†state.a',
  '†state.a.b',
  '†state.a.b.c',
  '†state.b',
  "†state.'a.b'",
  '†note.a',
  '†__proto__.a',
)
const instance = fc.option(fc.constantFrom('one', 'two'), { nil: undefined, freq: 2 })
const call: fc.Arbitrary<Call> = fc
  .record({
    _tool: fc.constant('t'),
    _instance: instance,
    _outputPath: fc.option(
      fc.oneof(
        path,
        fc.tuple(path, path).map(([left, right]) => `${left} || ${right}`),
      ),
      { nil: undefined, freq: 2 },
    ),
    reads: fc.array(
      fc.oneof(
        path,
        fc.tuple(path, fc.constantFrom(' || ', ' && '), path).map((parts) => parts.join('')),
      ),
      { maxLength: 2 },
    ),
  })
  .map((given) => JSON.parse(JSON.stringify(given)) as Call)
const context: fc.Arbitrary<Message[]> = fc.constantFrom<Message[]>(
  [],
  [{ type: 'state', state: { a: { b: 1 } } }],
  [{ type: 'state', state: { b: 1 } }],
  [{ type: 'state', _instance: 'one', state: { a: 2 } } as Message],
)

fuzz(
  'REQ-7 a Call of a plan that is coming is free as the graph of what has come says',
  400,
  fc.tuple(fc.array(call, { minLength: 1, maxLength: 8 }), context),
  ([calls, messages]) => {
    const plan = new IncomingPlan(messages, withoutUnderscore)
    for (const [place, next] of calls.entries()) {
      const come = calls.slice(0, place + 1)
      const isFree = plan.add(next)
      const graph = graphOf(come, messages)
      const isFreeByGraph =
        graph?.waitsFor.at(-1)?.length === 0 && isUnblocked(next, messages, withoutUnderscore)
      if (isFree) expect(isFreeByGraph, JSON.stringify(come)).toBe(true)
      // Where nothing reads ahead, the two say the same.
      if (isFreeByGraph && !come.some((each, at) => readsAhead(each, come.slice(0, at), messages))) {
        expect(isFree, JSON.stringify(come)).toBe(true)
      }
    }
  },
)

function graphOf(calls: readonly Call[], messages: readonly Message[]) {
  try {
    return planGraph(calls, messages, withoutUnderscore)
  } catch {
    return undefined
  }
}

/** Whether the Call reads at a path that is not there, and that no Call before it writes. */
function readsAhead(reader: Call, before: readonly Call[], messages: readonly Message[]): boolean {
  return readsOf(reader, withoutUnderscore).some(({ expression, text }) => {
    if (isPresent(expression, readerOf(messages), reader)) return false
    return text.split(/ \|\| | && /).some((one) => {
      const { _outputPath, ...alone }: Call = { ...reader, reads: [one] }
      const writers = before.map((writer) => ({ ...writer, reads: [] }))
      return graphOf([...writers, alone], [])?.waitsFor.at(-1)?.length === 0
    })
  })
}
