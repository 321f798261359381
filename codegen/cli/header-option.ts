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

/** Reads `--header`; no headers if absent. @throws GeneratorError `invalid_usage`. */
export function headersOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  const [name = '', ...value] = text.split(':')
  if (/^[\w-]+$/.test(name.trim()) && value.length > 0) return { [name.trim()]: value.join(':').trim() }
  throw new GeneratorError('invalid_usage', [
    { message: `--header takes NAME:VALUE, got "${text}".`, fix: 'Pass --header "authorization: Bearer …".' },
  ])
}
