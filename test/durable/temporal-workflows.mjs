// What Temporal's bundler takes, and its sandbox runs: see temporal.test.ts.
import * as workflow from '@temporalio/workflow'
import { temporalSteps } from 'callsheet/workflow'
import { dagCalls } from './dag.ts'

export async function sums() {
  const { all } = await temporalSteps({ workflow })
  return all([1, 2, 3].map((left) => ({ _tool: 'add', left, right: 1 })))
}

export async function twoSums() {
  const [first, second] = [await temporalSteps({ workflow }), await temporalSteps({ workflow })]
  const one = { _tool: 'add', left: 1, right: 1 }
  return [await first.all([one]), await second.all([one])]
}

export async function sumsAtOnce() {
  const { all, run } = await temporalSteps({ workflow })
  const one = { _tool: 'add', left: 1, right: 1 }
  const [first, { output }, last] = await Promise.all([all([one, one]), run(one), all([one])])
  return [first, output, last]
}

export async function tooLarge() {
  const { run } = await temporalSteps({ workflow })
  const { error } = await run({ _tool: 'add', left: '語'.repeat(700_000), right: 1 })
  return error.message
}

export async function dag(count) {
  const { plan } = await temporalSteps({ workflow })
  return (await plan(dagCalls(count))).context
}

export async function waitTwice() {
  const { all } = await temporalSteps({ workflow })
  await all([{ _tool: 'settle', name: 'first', milliseconds: 50 }])
  return all([{ _tool: 'settle', name: 'second', milliseconds: 50 }])
}

/** As somebody writes it who wants to know what ran, however it ends. */
export async function payOrTell() {
  const { agent } = await temporalSteps({ workflow })
  try {
    return await agent('payer')
  } catch (error) {
    if (!workflow.isCancellation(error)) throw error
    return [error.code, error.result.outcomes.map(({ tool, status }) => [tool, status])]
  }
}

export async function payRent(task) {
  const { agent } = await temporalSteps({ workflow })
  return (await agent('payer', { task })).output
}
