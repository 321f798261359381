import { describe, expect, test } from 'vitest'
import { formatTest } from '../../../../runtime/checks/formats.ts'
import { dateOf } from '../../../../runtime/json/date-of.ts'

const isDateTime = formatTest('date-time')

describe('TOOL-5 each text of the format date-time is a Date for functions', () => {
  const given: [text: string, date: string][] = [
    ['2020-02-29T12:34:56.789Z', '2020-02-29T12:34:56.789Z'],
    ['2020-02-29T12:34:56.7Z', '2020-02-29T12:34:56.700Z'],
    ['2020-02-29T12:34:56.0679999Z', '2020-02-29T12:34:56.067Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60.25+00:00', '2017-01-01T00:00:00.250Z'],
    ['2016-12-31T15:59:60-08:00', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:59+01', '2016-12-31T22:59:59.000Z'],
    ['2016-12-31T23:59:59-0130', '2017-01-01T01:29:59.000Z'],
    ['2016-12-31t23:59:59z', '2016-12-31T23:59:59.000Z'],
    ['2016-12-31\u00a023:59:59Z', '2016-12-31T23:59:59.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['0001-01-01 00:00:00+01', '0000-12-31T23:00:00.000Z'],
    ['0049-01-01 00:00:00Z', '0049-01-01T00:00:00.000Z'],
  ]
  test.each(given)('%s', (text, date) => {
    expect(isDateTime(text)).toBe(true)
    expect(dateOf(text).toISOString()).toBe(date)
  })

  test('other texts give an invalid date', () => {
    expect(dateOf('tomorrow').getTime()).toBeNaN()
  })
})
