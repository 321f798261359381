import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from './campaign.ts'
import { type Bounds, carryOut, requireOnce, way } from './carried-out.ts'
import { madeRun } from './made-run.ts'

const few = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { nil: undefined })
let wentOn = 0

fuzz(
  'REQ-8b, REQ-12 whatever ends a run: no limit is passed, and what goes on from there repeats nothing that ran',
  80,
  fc.record({
    run: madeRun,
    chosen: way,
    next: way,
    most: fc.record({ maxCalls: few(8), maxTurns: few(5), maxTokens: few(30) }),
    abortsAt: few(5),
  }),
  async ({ run, chosen: given, next, most, abortsAt }) => {
    const limits = Object.fromEntries(Object.entries(most).filter(([, value]) => value !== undefined))
    const bounds: Bounds = { ...limits, ...(abortsAt !== undefined && { abortsAt }) }
    // An end that hangs on when a Call ended comes otherwise in a replay.
    const chosen = { ...given, limits: false, isReplayed: false }
    const first = await carryOut(run, chosen, bounds)
    requireOnce(first)
    const { maxCalls = 200, maxTurns = 20 } = most
    const begun = new Set(first.started.map(({ id }) => id))
    expect(begun.size).toBeLessThanOrEqual(maxCalls)
    expect(first.asked.requests).toBeLessThanOrEqual(maxTurns)
    const { spent, output, context } = first.result
    // One that was given up before it was made counts as well.
    expect(spent.turns).toBeGreaterThanOrEqual(first.asked.requests)
    expect(spent.tokens).toBeLessThanOrEqual(first.asked.requests * 5)
    if (abortsAt === undefined) expect(spent.tokens).toBe(first.asked.requests * 5)
    expect(spent.calls).toBeGreaterThanOrEqual(begun.size)
    // Calls that cannot be run are counted once the whole answer is there, and those too that a limit turned away.
    const turnedAway = first.outcomes.filter(
      ({ id, error }) => id.includes('.rejected.') || error?.code === 'limit_reached',
    )
    expect(spent.calls).toBeLessThanOrEqual(maxCalls + turnedAway.length)
    const told = new Set(first.outcomes.map(({ id }) => id))
    for (const id of begun) expect(told, `${id} is told`).toContain(id.split(':').slice(0, 2).join(':'))
    if (output !== null) return
    wentOn++
    const second = await carryOut(run, next, { runId: 'again', context, asked: first.asked })
    requireOnce(second)
    const before = new Set(first.started.map(({ call }) => (call as { place?: number }).place))
    for (const { call } of second.started) {
      const { place = -1 } = call as { place?: number }
      expect(before, `Call ${place} has run before`).not.toContain(place)
    }
  },
)

test('some of the runs above went on', () => {
  expect(wentOn).toBeGreaterThan(0)
})
