import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Reasons } from './reasons.ts'
import { fail } from './step.ts'

/** A format that says something, and of which type of value. */
interface Format {
  readonly type: 'string' | 'number'
  readonly test: (value: never) => boolean
}

/** The formats of ajv-formats, as its full mode reads them. Those that accept everything (`password`) are left out. */
const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries(fullFormats).flatMap(([name, definition]): [string, Format][] => {
    if (typeof definition !== 'object' && typeof definition !== 'function') return []
    const { type = 'string', validate } = 'validate' in definition ? definition : { validate: definition }
    const test = validate instanceof RegExp ? (value: string) => validate.test(value) : validate
    return [[name, { type, test: test as Format['test'] }]]
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
  return known ? (value) => typeof value === known.type && known.test(value as never) : () => true
}
