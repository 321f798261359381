import type { Message } from 'callsheet'
import fc from 'fast-check'
import { expect } from 'vitest'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { fuzz } from './campaign.ts'
import { type CarriedOut, carryOut, plain, requireOnce, way } from './carried-out.ts'
import { asIfSaid, base, madeRun } from './made-run.ts'

const left = ['startedAt', 'endedAt', '_date', '_activity', '_reasoningForCall']
const optional = ['_output', '_outputPath', '_outputMethod', '_instance', 'of']

/**
 * What two runs must have in common: no times, and not what is said otherwise in one mode than in the other, which is what
 * of a Call is left out, and what is wrong with its Tool; where one of them asks a worker, not how a failure is told.
 */
const inCommon = (value: unknown, isRemote: boolean): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, each) => {
      if (left.includes(name) || (each === null && optional.includes(name))) return undefined
      if (each?._tool === 'nobody') return { _tool: 'nobody' }
      if (each?.code === 'unknown_tool') return { code: each.code }
      if (!isRemote) return each
      if (each?.name && each.code && each.message) return 'a failure'
      return typeof each === 'string' ? each.replace(/^At http.*?: /, '') : each
    }),
  )

const sorted = (list: readonly unknown[]): unknown[] =>
  list
    .map((each) => canonicalJson(asIfSaid(each)))
    .sort()
    .map((each) => JSON.parse(each))

function summary({ run, outcomes, result, started }: CarriedOut, isInOneProcess: boolean, isRemote: boolean) {
  // The plan that the context brings stands there as it was written.
  const brought = run.planned.length > 0 ? base(run).length - 1 : -1
  const added = (result.context as Message[]).filter(
    ({ type }, index) => type !== 'plan' || (isInOneProcess && index !== brought),
  )
  const begun = started.map(({ context, ...each }) => ({ ...each, ...(isInOneProcess && { context }) }))
  const ended = outcomes.map(({ error, variant, attempts, ...outcome }) => ({
    ...outcome,
    // A worker chooses the variant.
    ...(!isRemote && { variant }),
    attempts,
    error: error && { code: error.code, message: error.message },
  }))
  const told = {
    output: result.output,
    code: result.code ?? null,
    waiting: result.waiting,
    outcomes: sorted(ended.map((each) => inCommon(each, isRemote))),
    context: isInOneProcess ? added : sorted(added.map((each) => inCommon(each, isRemote))),
    started: sorted(begun.map((each) => inCommon(each, isRemote))),
  }
  return asIfSaid(inCommon(told, isRemote))
}

fuzz(
  'REQ-8, REQ-9 one run, in whatever way it is carried out, comes to the same',
  80,
  fc.tuple(madeRun, fc.array(way, { minLength: 1, maxLength: 2 })),
  async ([run, ways]) => {
    const first = await carryOut(run, plain)
    requireOnce(first)
    for (const each of ways) {
      const other = await carryOut(run, each)
      requireOnce(other)
      if (first.result.code?.startsWith('plan_cycle')) {
        expect(other.result.code).toMatch(/^plan_cycle/)
        continue
      }
      // A circle is seen once all of it is there: what was free before it has started early.
      const isInCircle = first.outcomes.some(({ error }) => error?.code === 'plan_cycle')
      if (isInCircle && each.stream && each.early !== 'none') continue
      const isInOneProcess = other.processes === 1
      // What is written late takes the place of what was written meanwhile, as the context only grows.
      if (!isInOneProcess && !run.isApart) continue
      const { isRemote } = each
      expect(summary(other, isInOneProcess, isRemote)).toEqual(summary(first, isInOneProcess, isRemote))
    }
  },
)
