import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Fault } from '../generator-error.ts'
import type { Finding } from '../model.ts'

/** Sorts findings by file, position, rule and message, and removes duplicates. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const keyed = new Map(findings.map((finding) => [sortKey(finding), finding]))
  return [...keyed].sort(([left], [right]) => byCodeUnit(left, right)).map(([, finding]) => finding)
}

function sortKey({ at, rule, message }: Finding): string {
  const place = at ? [at.file, padded(at.line), padded(at.column)] : ['', '', '']
  return [...place, rule, message].join('\0')
}

function padded(count: number): string {
  return String(count).padStart(8, '0')
}

/** Converts findings to faults, for commands that need valid definitions or a running project. */
export function faultsOf(findings: readonly Finding[]): Fault[] {
  return findings.map(({ at, message, fix }) => ({
    message: at ? `${at.file}:${at.line}:${at.column}: ${message}` : message,
    fix,
  }))
}

/**
 * Prints a finding in the format that terminals and editors turn into a link.
 *
 * @example
 * definitions/weather.ts:12:3 error duplicate-name: …
 *   fix: …
 */
export function findingText({ at, severity, rule, message, fix }: Finding): string {
  const place = at ? `${at.file}:${at.line}:${at.column} ` : ''
  return `${place}${severity} ${rule}: ${message}\n  fix: ${fix}`
}

/** Prints a finding as a workflow command of GitHub Actions, which shows it at the line in a pull request. */
export function findingAnnotation({ at, severity, rule, message, fix }: Finding): string {
  const command = severity === 'note' ? 'notice' : severity
  const place = at
    ? [`file=${property(at.file)}`, `line=${at.line}`, `col=${at.column}`, `title=${property(rule)}`]
    : [`title=${property(rule)}`]
  return `::${command} ${place.join(',')}::${annotationText(`${message}\nfix: ${fix}`)}`
}

/** Escapes line breaks and the escape character itself: a workflow command ends at the end of its line. */
export function annotationText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return annotationText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
