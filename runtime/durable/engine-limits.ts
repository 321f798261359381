import type { FieldRule } from '../problems/field-rule.ts'

/** The most milliseconds of one attempt of a Call, or of one Request, unless somebody says otherwise. */
export const defaultTimeout = 600_000

/** The most attempts of a Call that fails, the first included, unless somebody says otherwise. */
export const defaultAttempts = 3

/** The rule of a time that an engine goes by. Without an end, what hangs would hang for ever. */
export const engineTime: FieldRule = [isFromOne, 'a finite number of milliseconds from 1']

/** True for finite numbers from 1. */
export function isFromOne(value: unknown): boolean {
  return Number.isFinite(value) && (value as number) >= 1
}
