import { GeneratorError } from '../generator-error.ts'

/** Reads `--header`; no headers if absent. @throws GeneratorError `invalid_usage`. */
export function headersOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  const [name = '', ...value] = text.split(':')
  if (/^[\w-]+$/.test(name.trim()) && value.length > 0) return { [name.trim()]: value.join(':').trim() }
  throw new GeneratorError('invalid_usage', [
    { message: `--header takes NAME:VALUE, got "${text}".`, fix: 'Pass --header "authorization: Bearer …".' },
  ])
}
