import { own } from '../json/json.ts'
import { fixedValue } from './fixed-value.ts'
import type { Schema } from './schema.ts'

/** What a Tool fixes of where the outputs of its Calls go: one legal value each (OUT-1). */
export interface FixedFields {
  readonly _outputPath?: string
  readonly _outputMethod?: string
  readonly _instance?: string
}

const fixable: readonly (keyof FixedFields)[] = ['_outputPath', '_outputMethod', '_instance']

/** Reads them off the properties of a Tool; undefined where there are none. */
export function fixedFields(properties: Readonly<Record<string, Schema>>): FixedFields | undefined {
  const found = fixable.flatMap((name): [string, string][] => {
    const value = fixedValue(own(properties, name))
    return typeof value === 'string' ? [[name, value]] : []
  })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/** The Call with what its Tool fixes and the Call leaves out; itself where that is nothing. What it says itself stands, right or wrong. */
export function withFixedFields<Call extends object>(call: Call, fixed: FixedFields | undefined): Call {
  if (!fixed) return call
  const missing = Object.entries(fixed).filter(([name]) => own(call, name) === undefined)
  return missing.length === 0 ? call : { ...call, ...Object.fromEntries(missing) }
}
