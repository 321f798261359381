import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Reasons } from './reasons.ts'
import { fail } from './step.ts'

/** A format that says something, and of which type of value. */
interface Format {
  readonly type: 'string' | 'number'
  readonly test: (value: never) => boolean
}

/**
 * Spellings that most values have and that a format certainly accepts: one expression in place of ajv-formats' parsing,
 * which splits the text and counts the days of a month.
 */
const usual: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/,
  'date-time': /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/,
}

/** Longer texts are no URLs in the format `url`, whose expression takes time that grows with their square. */
const longestUrl = 2048

/** Finds the test of a format: ajv-formats' own, made faster or bounded where a text could make it slow (CALL-11a). */
function testOf(name: string, validate: RegExp | ((value: string) => boolean)): (value: string) => boolean {
  if (name === 'url' && validate instanceof RegExp) {
    // The same language without two ways to read each colon, of which the time would grow with the cube.
    const expression = new RegExp(validate.source.replace('\\S+(?::\\S*)?@', '\\S+@'), validate.flags)
    return (value: string) => value.length <= longestUrl && expression.test(value)
  }
  const test = validate instanceof RegExp ? (value: string) => validate.test(value) : validate
  const expression = usual[name]
  return expression ? (value) => expression.test(value) || test(value) : test
}

/** The formats of ajv-formats, as its full mode reads them. Those that accept everything (`password`) are left out. */
const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries(fullFormats).flatMap(([name, definition]): [string, Format][] => {
    if (typeof definition !== 'object' && typeof definition !== 'function') return []
    const { type = 'string', validate } = 'validate' in definition ? definition : { validate: definition }
    // One of either kind: ajv-formats declares more kinds than it has.
    return [
      [
        name,
        { type, test: testOf(name, validate as RegExp | ((value: string) => boolean)) as Format['test'] },
      ],
    ]
  }),
)

/** Formats that are known and accept every value. */
const unasserted: ReadonlySet<string> = new Set(
  Object.entries(fullFormats).flatMap(([name, definition]) => (definition === true ? [name] : [])),
)

/** The type of value that a format says something about; undefined when it accepts everything or is unknown. */
export function formatType(name: string): 'string' | 'number' | undefined {
  return formats.get(name)?.type
}

/** False for a format that is not asserted because nobody knows it. */
export function isKnownFormat(name: string): boolean {
  return formats.has(name) || unasserted.has(name)
}

/** A string, or for some formats a number, of the named format. */
export function format(value: unknown, path: string, problems: Reasons | null, name: string): boolean {
  const known = formats.get(name)
  if (!known || (typeof value === known.type && known.test(value as never))) return true
  return fail(value, path, problems, `a ${known.type} in the format "${name}"`)
}

/** Finds the test of a format, which answers for any value. */
export function formatTest(name: string): (value: unknown) => boolean {
  const known = formats.get(name)
  if (!known) return () => true
  const { type, test } = known
  return (value) => typeof value === type && test(value as never)
}
