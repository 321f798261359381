import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { traceOf } from '../../../examples/agent/trace.ts'
import { solveByPlan, solveStepByStep, type Way } from '../../../examples/agent/ways.ts'

describe('REF-5, REQ-8 the sample solves in one turn by a plan what takes four without References', () => {
  const traces: Record<string, string[]> = { stepByStep: [], byPlan: [] }
  let stepByStep: Way
  let byPlan: Way

  test('both do the same', async () => {
    stepByStep = await solveStepByStep((turn) => traces.stepByStep?.push(traceOf(turn)))
    byPlan = await solveByPlan((turn) => traces.byPlan?.push(traceOf(turn)))
    const what = ({ result }: Way) =>
      result.outcomes.map(({ tool, status, output }) => ({ tool, status, output }))
    expect(what(byPlan)).toEqual(what(stepByStep))
    expect(what(byPlan).map(({ tool, status }) => [tool, status])).toEqual([
      ['searchText', 'succeeded'],
      ['readLine', 'succeeded'],
      ['appendNote', 'succeeded'],
    ])
    expect(byPlan.result.output).toBe(stepByStep.result.output)
    expect(byPlan.note).toBe(stepByStep.note)
    expect(byPlan.note).toContain('1303 metres')
  })

  test('in one turn instead of four, for fewer than half of the tokens, counted', () => {
    expect(stepByStep.result.spent.turns).toBe(4)
    expect(byPlan.result.spent.turns).toBe(1)
    expect([stepByStep.isCounted, byPlan.isCounted]).toEqual([true, true])
    const [many, one] = [stepByStep.result.spent.tokens, byPlan.result.spent.tokens]
    expect(one).toBeGreaterThan(0)
    expect(one).toBeLessThan(many / 2)
  })

  test('for what docs/agent.md says, but for the name of the folder that it works in', () => {
    const page = readFileSync(new URL('../../../docs/agent.md', import.meta.url), 'utf8')
    const said = [...page.matchAll(/turns?, about ([\d,]+) tokens/g)].map(([, figure = '']) =>
      Number(figure.replace(',', '')),
    )
    const spent = [stepByStep, byPlan].map(({ result }) => result.spent.tokens)
    expect(said).toHaveLength(2)
    for (const [index, tokens] of spent.entries())
      expect(Math.abs(tokens / (said[index] ?? 0) - 1)).toBeLessThan(0.05)
  })

  test('the trace shows what was read, and the tokens of each turn', () => {
    expect(traces.stepByStep).toHaveLength(4)
    expect(traces.byPlan).toHaveLength(1)
    expect(traces.byPlan?.[0]).toMatch(/chooses 3 Calls \(\d+ tokens in, \d+ out\)/)
    expect(traces.byPlan?.[0]).toContain('waited for †state.found.0.place')
    expect(traces.byPlan?.[0]).toContain('waited for †state.found.0.text')
  })
})
