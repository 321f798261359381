import type { JsonSchema } from '../../../runtime/schema/schema.ts'
import { patternText } from '../../../runtime/testing/pattern-text.ts'
import { RandomSource } from '../../../runtime/testing/random-source.ts'
import { numbersIn } from './hints.ts'

/** The longest generated string. Differences that only longer ones show stay unknown. */
const longestText = 2_000_000

const plainTexts = [
  'text',
  'a',
  '',
  '0',
  'A',
  ' ',
  'a b',
  '-',
  '/',
  'é',
  '😀',
  'a\nb',
  '1.5',
  'true',
  'null',
  '2026-01-31',
  'zz9',
  'a@b.co',
]

/** A sample string of each format. */
const formatted: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T10:00:00Z',
  'iso-date-time': '2026-01-31T10:00:00',
  date: '2026-01-31',
  time: '10:00:00Z',
  'iso-time': '10:00:00',
  duration: 'P3D',
  email: 'a@example.com',
  hostname: 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  uri: 'https://example.com/a',
  'uri-reference': '/a?b#c',
  'uri-template': '/a/{b}',
  url: 'https://example.com/a',
  'json-pointer': '/a/0',
  'json-pointer-uri-fragment': '#/a',
  'relative-json-pointer': '1/a',
  regex: '^a$',
  byte: 'YQ==',
}

/** Yields strings that a schema may accept. Those that other schemas may refuse come first. */
export function* texts(parts: readonly JsonSchema[], hints: readonly JsonSchema[]): Generator<string> {
  const sources = [...parts, ...hints]
  const lengths = [
    ...numbersIn(sources, 'minLength', 'maxLength').flatMap((length) => [length, length - 1, length + 1]),
  ].filter((length) => length >= 0 && length <= longestText)
  const patterns = [
    ...new Set(sources.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []))),
  ]
  const formats = [...new Set(sources.flatMap(({ format }) => (typeof format === 'string' ? [format] : [])))]
  yield* plainTexts.slice(0, 2)
  for (const format of formats) if (Object.hasOwn(formatted, format)) yield formatted[format] as string
  for (const pattern of patterns)
    for (let seed = 1; seed <= 6; seed++) yield patternText(pattern, new RandomSource(seed))
  for (const length of new Set(lengths)) yield 'a'.repeat(length)
  yield* plainTexts
  yield* Object.values(formatted)
  for (const pattern of patterns) {
    for (let seed = 7; seed <= 24; seed++) yield patternText(pattern, new RandomSource(seed))
    // An unanchored pattern allows padding, so the sample can be extended to the required lengths.
    const base = patternText(pattern, new RandomSource(1))
    for (const length of new Set(lengths)) {
      const more = length - [...base].length
      if (more > 0)
        yield* [base + 'a'.repeat(more), 'a'.repeat(more) + base, base + (base.at(-1) ?? 'a').repeat(more)]
    }
  }
}

/** Yields numbers that a schema may accept. Those that other schemas may refuse come first. */
export function* numbers(parts: readonly JsonSchema[], hints: readonly JsonSchema[]): Generator<number> {
  const sources = [...parts, ...hints]
  const ends = numbersIn(sources, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum')
  const steps = numbersIn(sources, 'multipleOf')
  yield* [1, 0, -1, 2]
  for (const end of ends) yield* [end, end - 1, end + 1, end - 0.5, end + 0.5, end - 0.001, end + 0.001]
  for (const step of steps) {
    for (let times = 1; times <= 24; times++) yield* [step * times, -step * times]
    for (const end of ends)
      yield* [
        Math.ceil(end / step) * step,
        Math.floor(end / step) * step,
        (Math.floor(end / step) + 1) * step,
        (Math.ceil(end / step) - 1) * step,
      ]
  }
  yield* [0.5, 1.5, 3, 7, -0.5, 10, 42, 100, -100, 1000, 0.1, 1e6, -1e6, 1e12, 3e9, 1e300, -1e300]
}
