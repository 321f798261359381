import { own } from '../json/json.ts'
import { fixedValue } from './fixed-value.ts'
import type { Schema } from './schema.ts'

/** The meta-fields about outputs for which a Tool allows only one value (OUT-1). */
export interface FixedFields {
  readonly _outputPath?: string
  readonly _outputMethod?: string
  readonly _instance?: string
}

const fixable: readonly (keyof FixedFields)[] = ['_outputPath', '_outputMethod', '_instance']

/** Finds them among a Tool's properties; undefined if there are none. */
export function fixedFields(properties: Readonly<Record<string, Schema>>): FixedFields | undefined {
  const found = fixable.flatMap((name): [string, string][] => {
    const value = fixedValue(own(properties, name))
    return typeof value === 'string' ? [[name, value]] : []
  })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/**
 * Adds the fixed values that a Call leaves out; returns the Call itself if none is missing. Values in the Call are
 * kept, right or wrong.
 */
export function withFixedFields<Call extends object>(call: Call, fixed: FixedFields | undefined): Call {
  if (!fixed) return call
  const missing = Object.entries(fixed).filter(([name]) => own(call, name) === undefined)
  return missing.length === 0 ? call : { ...call, ...Object.fromEntries(missing) }
}
