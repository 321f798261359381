import type { FieldRule } from '../problems/field-rule.ts'

/** Default limit of one attempt of a Call, or one Request, in milliseconds. */
export const defaultTimeout = 600_000

/** Default limit of attempts of a failing Call, including the first. */
export const defaultAttempts = 3

/** Accepts a finite duration: without an end, a hanging Call would hang forever. */
export const engineTime: FieldRule = [isFromOne, 'a finite number of milliseconds from 1']

/** True for a finite number of at least 1. */
export function isFromOne(value: unknown): boolean {
  return Number.isFinite(value) && (value as number) >= 1
}
