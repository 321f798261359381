import { createRegistry } from 'callsheet'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'
import { hostileJson } from './hostile-json.ts'

type Json = Record<string, unknown>

const scalar = fc.oneof(
  fc.constant({ type: 'string' }),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: 'null' }),
  fc.constant({ type: 'integer' }),
  fc.record({
    type: fc.constant('number'),
    minimum: fc.integer({ min: -9, max: 0 }),
    maximum: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ type: fc.constant('number'), exclusiveMinimum: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ type: fc.constant('number'), exclusiveMaximum: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ type: fc.constant('integer'), multipleOf: fc.integer({ min: 1, max: 7 }) }),
  fc.record({
    type: fc.constant('string'),
    minLength: fc.integer({ min: 0, max: 3 }),
    maxLength: fc.integer({ min: 3, max: 9 }),
  }),
  fc.record({ type: fc.constant('string'), minLength: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('string'), maxLength: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    enum: fc.uniqueArray(
      fc.oneof(
        fc.constantFrom('red', 'green', 'blue, or so', 'a "b"'),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fc.record({ const: fc.oneof(fc.constantFrom('on', 'off'), fc.integer(), fc.constant(null)) }),
  fc.constant({ type: ['string', 'null'] }),
  fc.constant({ type: ['integer', 'boolean'] }),
  fc.constantFrom(
    ...['date', 'date-time', 'email', 'uuid', 'uri', 'time', 'ipv4'].map((format) => ({
      type: 'string',
      format,
    })),
  ),
)
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'advice' },
    { weight: 4, arbitrary: scalar },
    fc.record({
      type: fc.constant('array'),
      items: tie('schema'),
      minItems: fc.integer({ min: 0, max: 2 }),
      maxItems: fc.integer({ min: 2, max: 4 }),
    }),
    fc.record({
      type: fc.constant('array'),
      items: fc.constantFrom({ type: 'string' }, { type: 'integer' }),
      uniqueItems: fc.constant(true),
      minItems: fc.integer({ min: 0, max: 3 }),
    }),
    fc
      .dictionary(
        fc.constantFrom('name', 'nmae', 'city', 'amount', 'odd key', 'a/b', 'toString'),
        tie('schema'),
        { maxKeys: 4 },
      )
      .chain((properties) =>
        fc
          .subarray(Object.keys(properties))
          .map((required) => ({ type: 'object', properties, required, additionalProperties: false })),
      ),
    fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('schema'), tie('schema')).map(([left, right]) => ({
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'left' }, of: left },
          required: ['kind', 'of'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { kind: { const: 'right' }, of: right },
          required: ['kind'],
          additionalProperties: false,
        },
      ],
    })),
  ),
}))

const examples: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T10:00:00Z',
  email: 'a@b.example',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  uri: 'https://a.example/',
  time: '10:00:00Z',
  ipv4: '10.0.0.1',
}

/** Does what a reason says, word by word. Nothing else is known of the schema. */
function asAdvised(said: string, value: unknown): unknown {
  // Of several ways the first.
  const [expected = said] = said.split(/(?: or |, )(?=an? )/)
  const without = /^a value without (.+?)(?: or |$)/.exec(expected)?.[1]
  if (without !== undefined) return withChange(value, without.slice(1).split('/'), () => undefined)
  const inner = /^a value whose (.+?) is (.*)$/.exec(expected)
  if (inner)
    return withChange(
      typeof value === 'object' && value !== null ? value : {},
      (inner[1] as string).slice(1).split('/'),
      (part) => asAdvised(inner[2] as string, part),
    )
  const literal = /^(?:one of )?("(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|true|false|null)(?:, | or |$)/.exec(
    expected,
  )?.[1]
  if (/^true or false/.test(expected)) return true
  if (literal !== undefined) return JSON.parse(literal)
  const has = (pattern: RegExp): number | undefined => {
    const found = pattern.exec(expected)?.[1]
    return found === undefined ? undefined : Number(found)
  }
  const format = /in the format "([^"]+)"/.exec(expected)?.[1]
  if (format !== undefined) return examples[format]
  const least =
    has(/at least (\d+) (?:character|item)/) ??
    has(/exactly (\d+) (?:character|item)/) ??
    has(/(\d+) to \d+ (?:character|item)/)
  const most =
    has(/at most (\d+) (?:character|item)/) ??
    has(/exactly (\d+) (?:character|item)/) ??
    has(/\d+ to (\d+) (?:character|item)/)
  if (/character/.test(expected)) return 'x'.repeat(least ?? 0)
  if (/an item other than/.test(expected)) return typeof value === 'number' ? value + 1 : `${value}x`
  if (/item/.test(expected) && Array.isArray(value)) {
    return value.length < (least ?? 0)
      ? [...value, ...Array.from({ length: (least ?? 0) - value.length }, (_, at) => `new ${at}`)]
      : value.slice(0, most)
  }
  const above = has(/> (-?[\d.]+)/)
  if (above !== undefined) return above + 1
  const below = has(/< (-?[\d.]+)/)
  if (below !== undefined) return below - 1
  const from = has(/>= (-?[\d.]+)/) ?? has(/<= (-?[\d.]+)/) ?? has(/from (-?[\d.]+)/) ?? has(/to (-?[\d.]+)/)
  if (from !== undefined) return from
  if (/multiple of/.test(expected)) return 0
  if (/^a string/.test(expected)) return 'x'
  if (/^an integer/.test(expected)) return 0
  if (/^a number/.test(expected)) return 0
  if (/^(?:a list|an array)/.test(expected)) return []
  if (/^an object/.test(expected)) return {}
  throw new Error(`No model would know what to do about: expected ${expected}`)
}

/** A value with one part changed; what does not lead there becomes an object on the way. Undefined removes the part. */
function withChange(
  whole: unknown,
  [name, ...rest]: readonly string[],
  change: (part: unknown) => unknown,
): unknown {
  if (name === undefined) return change(whole)
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
  const entries: [string, unknown][] = Object.entries((whole ?? {}) as object)
  const before = entries.find(([each]) => each === key)?.[1]
  const after = withChange(before, rest, change)
  if (Array.isArray(whole)) return whole.map((item, at) => (String(at) === key ? after : item))
  const others = entries.filter(([each]) => each !== key)
  return Object.fromEntries(after === undefined ? others : [...others, [key, after]])
}

fuzz(
  'CALL-11 who does what the reasons say, and no more, comes to a Call that runs',
  400,
  fc.record({
    name: fc.constantFrom('act', 'atc', 'Act'),
    properties: fc.dictionary(fc.constantFrom('amount', 'to', 'when', 'toString'), schema, {
      minKeys: 1,
      maxKeys: 3,
    }),
    given: fc.dictionary(
      fc.constantFrom(
        'amount',
        'to',
        'when',
        'amuont',
        'whn',
        'constructor',
        '_scopes',
        '_activity',
        '_instance',
        '_nope',
      ),
      fc.oneof(hostileJson, schema),
      { maxKeys: 4 },
    ),
  }),
  async ({ name, properties, given }) => {
    const { Tool, Activity } = createRegistry({
      tools: {
        act: {
          type: 'object',
          properties: { _tool: { const: 'act' }, ...properties },
          required: ['_tool', ...Object.keys(properties)],
          additionalProperties: false,
        },
      },
    })
    Activity.register('act', () => 1)
    let call: Json = { ...given, _tool: name }
    const said: string[] = []
    for (let round = 0; round < 60; round++) {
      const { status, error } = await Tool.run(call as never, { references: false })
      if (status === 'succeeded') return
      said.push(`${JSON.stringify(call)} -> ${error?.message}`)
      const [meant] = error?.suggestions ?? []
      if (error?.code === 'unknown_tool' && meant !== undefined) call = { ...call, _tool: meant }
      for (const { path, expected, message } of error?.problems ?? []) {
        if (/^no further problems|further problem/.test(expected)) continue
        const parts = path.split('/').slice(1)
        if (/^no such property/.test(expected)) {
          const meant = /did you mean ("(?:[^"\\]|\\.)*")/.exec(message)?.[1]
          let taken: unknown
          call = withChange(call, parts, (part) => {
            taken = part
            return undefined
          }) as Json
          if (meant !== undefined) {
            call = withChange(
              call,
              [...parts.slice(0, -1), JSON.parse(meant).replaceAll('~', '~0').replaceAll('/', '~1')],
              (part) => (part === undefined ? taken : part),
            ) as Json
          }
        } else call = withChange(call, parts, (part) => asAdvised(expected, part)) as Json
      }
    }
    expect.fail(said.slice(-3).join('\n'))
  },
)
