import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Reasons } from './reasons.ts'
import { fail } from './step.ts'

/** An asserted format: its test, and the type of value it applies to. */
interface Format {
  readonly type: 'string' | 'number'
  readonly test: (value: never) => boolean
}

/**
 * Expressions for the common values that a format certainly accepts: a fast path before the test of ajv-formats, which splits the
 * text and counts the days of a month.
 */
const usual: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/,
  'date-time': /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/,
}

/** Longest text for the format `url`, in characters: its regular expression takes quadratic time. */
const longestUrl = 2048

/** Returns the test of a format: that of ajv-formats, with a fast path or a bound if some text could make it slow (CALL-11a). */
function testOf(name: string, validate: RegExp | ((value: string) => boolean)): (value: string) => boolean {
  if (name === 'url' && validate instanceof RegExp) {
    // Equivalent, but without two ways to match each colon, which take cubic time.
    const expression = new RegExp(validate.source.replace('\\S+(?::\\S*)?@', '\\S+@'), validate.flags)
    return (value: string) => value.length <= longestUrl && expression.test(value)
  }
  const test = validate instanceof RegExp ? (value: string) => validate.test(value) : validate
  const expression = usual[name]
  return expression ? (value) => expression.test(value) || test(value) : test
}

/** The formats of ajv-formats in full mode, without those that accept everything (`password`). */
const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries(fullFormats).flatMap(([name, definition]): [string, Format][] => {
    if (typeof definition !== 'object' && typeof definition !== 'function') return []
    const { type = 'string', validate } = 'validate' in definition ? definition : { validate: definition }
    // Either a RegExp or a function: ajv-formats declares more kinds than it uses.
    return [
      [
        name,
        { type, test: testOf(name, validate as RegExp | ((value: string) => boolean)) as Format['test'] },
      ],
    ]
  }),
)

/** Known formats that accept every value. */
const unasserted: ReadonlySet<string> = new Set(
  Object.entries(fullFormats).flatMap(([name, definition]) => (definition === true ? [name] : [])),
)

/** Returns the type of value that a format constrains; undefined if it accepts everything or is unknown. */
export function formatType(name: string): 'string' | 'number' | undefined {
  return formats.get(name)?.type
}

/** True for a known format; unknown ones are not asserted. */
export function isKnownFormat(name: string): boolean {
  return formats.has(name) || unasserted.has(name)
}

/** Requires a string, or for some formats a number, of the named format. */
export function format(value: unknown, path: string, problems: Reasons | null, name: string): boolean {
  const known = formats.get(name)
  if (!known || (typeof value === known.type && known.test(value as never))) return true
  return fail(value, path, problems, `a ${known.type} in the format "${name}"`)
}

/** Returns the test of a format, which accepts any value as its argument. */
export function formatTest(name: string): (value: unknown) => boolean {
  const known = formats.get(name)
  if (!known) return () => true
  const { type, test } = known
  return (value) => typeof value === type && test(value as never)
}
