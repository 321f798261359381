import type { Field } from '../../form/field.ts'

const formatExamples: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT15M',
  email: 'name@example.org',
  uri: 'https://example.org',
  url: 'https://example.org',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.org',
}

/** Describes the type and the limits of a field in a few words. */
export function hintOf(field: Field): string {
  switch (field.kind) {
    case 'text': {
      const kind = field.format ?? 'text'
      return join(
        kind,
        range(field.min, field.max, 'character'),
        ...(field.patterns ?? []).map((each) => `/${each}/`),
      )
    }
    case 'number': {
      const kind = field.isInteger ? 'whole number' : 'number'
      return join(
        field.format ?? kind,
        range(field.min, field.max),
        field.above === undefined ? '' : `above ${field.above}`,
        field.below === undefined ? '' : `below ${field.below}`,
        field.multiple === undefined ? '' : `a multiple of ${field.multiple}`,
      )
    }
    case 'flag':
      return 'true or false'
    case 'choice':
      return field.values.length === 1 ? 'fixed' : 'one of'
    case 'list': {
      const kind = field.first.length > 0 ? 'tuple' : 'list'
      return join(kind, range(field.min, field.max, 'item'), field.isUnique ? 'no two alike' : '')
    }
    case 'object': {
      const isRecord = field.others !== undefined && field.properties.length === 0
      return join(isRecord ? 'record' : 'object', range(field.min, field.max, 'member'))
    }
    case 'union':
      return 'one of'
    case 'any':
      return 'anything'
    default:
      return ''
  }
}

/** An example of a format, to show while nothing is there. */
export function exampleOf(format: string | undefined): string | undefined {
  return format !== undefined && Object.hasOwn(formatExamples, format) ? formatExamples[format] : undefined
}

function range(min: number | undefined, max: number | undefined, unit = ''): string {
  const named = (count: number): string => {
    const text = count.toLocaleString('en')
    return unit === '' ? text : `${text} ${unit}${count === 1 ? '' : 's'}`
  }
  if (min !== undefined && max !== undefined) {
    return min === max ? named(min) : `${min.toLocaleString('en')} to ${named(max)}`
  }
  if (max !== undefined) return `at most ${named(max)}`
  return min !== undefined && min > 0
    ? `at least ${named(min)}`
    : min === undefined || unit !== ''
      ? ''
      : `at least ${min}`
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}
