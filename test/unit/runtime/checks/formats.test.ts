import { fullFormats } from 'ajv-formats/dist/formats.js'
import { describe, expect, test } from 'vitest'
import { formatTest } from '../../../../runtime/checks/formats.ts'

/** Hostile texts by format: the longest runs that its expression can take apart in several ways, and then no match. */
const hostile: readonly [string, (length: number) => string][] = [
  ['url', (length) => `http://${':'.repeat(length)}!`],
  ['url', (length) => `http://${'a:'.repeat(length)}${'@'.repeat(length)}`],
  ['url', (length) => `http://${':'.repeat(length)}${'@a.aa/'.repeat(length)} `],
  ['url', (length) => `http://${'a-'.repeat(length)}`],
  ['url', (length) => `http://${'a.'.repeat(length)}!`],
  ['uri', (length) => `a://${'a'.repeat(length)}\\`],
  ['uri', (length) => `a://${'0:'.repeat(length)}\\`],
  ['uri', (length) => `a:${'/a'.repeat(length)}\\`],
  ['uri-reference', (length) => `${'a'.repeat(length)}\\`],
  ['uri-reference', (length) => `${'/a'.repeat(length)}\\`],
  ['uri-template', (length) => `{a${',a'.repeat(length)}\\`],
  ['uri-template', (length) => `${'%41'.repeat(length)}{`],
  ['hostname', (length) => `${'a'.repeat(length)}!`],
  ['hostname', (length) => `${`${'a'.repeat(63)}.`.repeat(length)}!`],
  ['email', (length) => `a@${'a-'.repeat(length)}`],
  ['email', (length) => `a@${'a.'.repeat(length)}!`],
  ['duration', (length) => `P${'1'.repeat(length)}`],
  ['duration', (length) => `PT${'1'.repeat(length)}x`],
  ['ipv6', (length) => '1:'.repeat(length)],
  ['ipv6', (length) => ':'.repeat(length)],
  ['date-time', (length) => `2020-01-01T00:00:00.${'1'.repeat(length)}`],
  ['json-pointer', (length) => `${'/~0'.repeat(length)}~`],
  ['byte', (length) => `${'AAAA'.repeat(length)}!`],
  ['regex', (length) => '(?<a>'.repeat(length)],
]

describe('CALL-11a no format hangs a check', () => {
  test.each(hostile)('%s', (name, text) => {
    const accepts = formatTest(name)
    const start = process.cpuUsage()
    // 334 repeats are the longest run that still fits the bound of `url`.
    for (const length of [100, 280, 334, 1000, 100_000]) accepts(text(length))
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(2)
  })
})

describe('GEN-11 a format accepts what ajv-formats accepts', () => {
  const ajv = (name: 'date' | 'date-time' | 'url') => {
    const definition = fullFormats[name] as RegExp | { validate: (value: string) => boolean }
    return (value: string) =>
      definition instanceof RegExp ? definition.test(value) : definition.validate(value)
  }

  test('dates and times at every edge', () => {
    const two = (number: number) => String(number).padStart(2, '0')
    const days = [0, 1, 9, 10, 19, 20, 28, 29, 30, 31, 32, 40]
    const dates = ['2023', '2024', '1900'].flatMap((year) =>
      Array.from({ length: 21 }, (_, month) => days.map((day) => `${year}-${two(month)}-${two(day)}`)).flat(),
    )
    const zones = ['Z', 'z', '', '+01:00', '-24:00', ' Z', 'Z\n']
    const times = ['00:00:00', '23:59:59', '23:59:60', '24:00:00', '19:60:00', '12:00:00.5', '12:00:00.']
    const moments = times.flatMap((time) =>
      zones.flatMap((zone) => ['T', 't', ' '].map((mark) => mark + time + zone)),
    )
    const texts = [...dates, ...dates.slice(0, 40).flatMap((date) => moments.map((moment) => date + moment))]
    for (const name of ['date', 'date-time'] as const) {
      const [ours, theirs] = [formatTest(name), ajv(name)]
      expect(texts.filter((text) => ours(text) !== theirs(text))).toEqual([])
    }
  })

  test('URLs with and without users, ports and paths', () => {
    const texts = ['', 'u@', 'u:p@', 'u:@', ':@', ':p@', 'a:b:c@', '@', 'u@v@', 'u:p'].flatMap((user) =>
      ['a.de', 'a', '1.2.3.4', '10.0.0.1', 'ä.example', 'a-b.co', 'a..de', ''].flatMap((host) =>
        ['', ':80', ':8', '/', '/a b', '/x?y#z'].map((rest) => `http://${user}${host}${rest}`),
      ),
    )
    const [ours, theirs] = [formatTest('url'), ajv('url')]
    expect(texts.filter((text) => ours(text) !== theirs(text))).toEqual([])
  })
})
