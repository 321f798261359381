import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'

/** Texts of each format, which are then spoilt: random ones would be of none. */
const right: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-02-29', '1900-02-28', '0000-01-01'],
  time: ['23:59:60Z', '12:00:00+05:30', '00:00:00.123z', '23:59:60.5-00:01'],
  'date-time': ['2024-02-29T23:59:60Z', '2024-01-01t00:00:00+00:00', '2024-01-01 00:00:00Z'],
  'iso-time': ['12:00:00'],
  'iso-date-time': ['2024-02-29T23:59:59', '2024-02-29 23:59:59Z'],
  duration: ['P1Y2M3DT4H5M6S', 'P4W', 'PT1H', 'P1D'],
  uri: ['http://a.b/c?d#e', 'urn:a:b', 'http://[::1]:80/%20', 'mailto:a@b.c'],
  'uri-reference': ['/a/b?c#d', '../x', '#a', '//h/p'],
  'uri-template': ['/a/{b}', '{?x,y*}', '{+a:3}'],
  url: ['http://a.b/c', 'https://1.2.3.4:80/x', 'ftp://foo.bar'],
  email: ['a@b.c', 'a.b+c@d-e.fg', '"x"@y.z'],
  hostname: ['a.b.c', 'x-y.z', 'localhost.'],
  ipv4: ['1.2.3.4', '255.255.255.0'],
  ipv6: ['::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', '1::'],
  regex: ['^a+$', '(?:b)', '[a-z]'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', 'urn:uuid:123e4567-e89b-12d3-a456-426614174000'],
  'json-pointer': ['/a/b~0', '', '/~1'],
  'json-pointer-uri-fragment': ['#/a/b', '#/%20'],
  'relative-json-pointer': ['0/a', '1#', '2'],
  byte: ['YQ==', 'YWI=', ''],
}
const piece = fc.constantFrom(
  ...[
    '',
    ' ',
    '\n',
    '\u0000',
    'a',
    'Z',
    'z',
    '_',
    '*',
    ',',
    '0',
    '9',
    '02',
    '13',
    '24',
    '29',
    '30',
    '31',
    '60',
    '256',
  ],
  ...[
    '-',
    ':',
    '::',
    '/',
    '.',
    '..',
    '%',
    '%2',
    '%20',
    '~',
    '~2',
    '#',
    '?',
    '@',
    '[',
    ']',
    '{',
    '}',
    '+',
    '=',
    'T',
    'P',
  ],
  ...['W', 'é', '😀'],
)
const edit = fc.record({ at: fc.nat(50), cut: fc.nat(3), put: piece })

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
const judges = Object.keys(right).map((format) => {
  const schema = { type: 'string', format } as const
  return { format, ours: interpretCheck(schema), theirs: ajv.compile(schema) }
})
const seen = { valid: 0, invalid: 0 }

fuzz(
  'GEN-11 a text is of a format where Ajv says so',
  1500,
  fc.record({
    judge: fc.constantFrom(...judges),
    which: fc.nat(),
    edits: fc.array(edit, { maxLength: 3 }),
  }),
  ({ judge: { format, ours, theirs }, which, edits }) => {
    const texts = right[format] ?? []
    const text = edits.reduce(
      (before, { at, cut, put }) => {
        const from = at % (before.length + 1)
        return before.slice(0, from) + put + before.slice(from + cut)
      },
      texts[which % texts.length] ?? '',
    )
    const want = theirs(text)
    expect(ours(text), `${format} ${JSON.stringify(text)}`).toBe(want)
    seen[want ? 'valid' : 'invalid']++
  },
)

test('the texts above are of both kinds', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(200))
})
