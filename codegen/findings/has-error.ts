import type { Finding } from '../model.ts'

/** True when a finding forbids writing. */
export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}
