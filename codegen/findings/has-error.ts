import type { Finding } from '../model.ts'

/** Whether a finding is an error, so that nothing may be written. */
export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}
