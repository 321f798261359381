import { GeneratorError } from '../generator-error.ts'

/** Refuses `--header` without `--url`: it would be sent nowhere. @throws GeneratorError `invalid_usage`. */
export function requireUrlFor(header: string | undefined): void {
  if (header === undefined) return
  throw new GeneratorError('invalid_usage', [
    {
      message: '--header is for a server, but there is no --url.',
      fix: 'Pass --url too, or leave --header out.',
    },
  ])
}

/**
 * Reads `--header`, its name in lower case, so that it replaces a header of ours; no headers if absent. @throws
 * GeneratorError `invalid_usage`.
 */
export function headersOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  const [name = '', ...parts] = text.split(':')
  const value = parts.join(':').trim()
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new GeneratorError('invalid_usage', [
      {
        message: `The value of --header "${name}" has characters that headers cannot have.`,
        fix: 'Correct --header.',
      },
    ])
  }
  if (/^[\w-]+$/.test(name.trim()) && parts.length > 0) return { [name.trim().toLowerCase()]: value }
  throw new GeneratorError('invalid_usage', [
    // Not quoted: a header without its name is often a token.
    {
      message: '--header takes NAME:VALUE, got another text.',
      fix: 'Pass --header "authorization: Bearer …".',
    },
  ])
}
