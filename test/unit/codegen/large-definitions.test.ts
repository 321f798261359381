import { describe, expect, test } from 'vitest'
import { buildModel } from '../../../codegen/build/build-model.ts'
import { checkModel } from '../../../codegen/check/check-model.ts'
import { emitDialects } from '../../../codegen/emit/dialects.ts'
import { emit } from '../../../codegen/emit/emit.ts'
import { isJsonObject } from '../../../runtime/json/json.ts'
import type { define } from './build/define.ts'
import { largeShapes } from './large-shapes.ts'
import { settings } from './print/sample-model.ts'

const steps = ['build', 'check', 'emit', 'openai', 'gemini', 'composed'] as const

let runs = 0

/** Gives each Tool a parameter of its own for each run, since equal schemas are lowered once. */
function ofNewRun(run: number) {
  return (definition: ReturnType<typeof define>): ReturnType<typeof define> => {
    const { kind, value } = definition
    if (kind !== 'tool' || !isJsonObject(value)) return definition
    const properties = { ...(value.properties as object), [`run${run}`]: { type: 'string' } }
    return { ...definition, value: { ...value, properties } }
  }
}

/** Processor time of each step, in milliseconds, from definitions of a size to every file. */
function timesOf(shape: (size: number) => ReturnType<(typeof largeShapes)['']>, size: number): number[] {
  const definitions = shape(size).map(ofNewRun(++runs))
  const times: number[] = []
  const timed = <Result>(work: () => Result): Result => {
    const before = process.cpuUsage()
    const result = work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    return result
  }
  const { model, findings } = timed(() => buildModel(definitions))
  const problems = timed(() => checkModel(model, definitions))
  expect([...findings, ...problems].filter(({ severity }) => severity === 'error')).toEqual([])
  expect(timed(() => emit(model, settings, []))).not.toEqual([])
  for (const dialect of ['openai', 'gemini'] as const) {
    timed(() => emitDialects(model, { ...settings, dialects: [{ dialect, mode: 'native' }] }))
  }
  timed(() => emitDialects(model, { ...settings, dialects: [{ dialect: 'openai', mode: 'composed' }] }))
  return times
}

describe('time grows with the definitions, and not by their square', () => {
  const [small, times] = [150, 8]

  test.each(Object.entries(largeShapes))('%s', { timeout: 60_000 }, (_, shape) => {
    timesOf(shape, small) // Compiled by now, as far as it will be.
    const [before, after] = [timesOf(shape, small), timesOf(shape, small * times)]
    const growth = steps.map((step, index) => {
      // What took less than this is noise, which must not count as growth.
      const base = Math.max(before[index] ?? 0, 40)
      return [step, (after[index] ?? 0) / base] as const
    })
    // The square would be 64 times as long.
    expect(growth.filter(([, factor]) => factor > times * 2.5)).toEqual([])
  })
})
