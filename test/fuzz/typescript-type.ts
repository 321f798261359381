import fc from 'fast-check'

/** A type as TypeScript writes it, and JSON values of it. A Date is a text in JSON. */
export interface WrittenType {
  readonly text: string
  readonly value: fc.Arbitrary<unknown>
  readonly hasDate: boolean
}

interface Member {
  readonly name: string
  readonly isOptional: boolean
  readonly type: WrittenType
}

const date: WrittenType = {
  text: 'Date',
  value: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
    .map((moment) => moment.toISOString()),
  hasDate: true,
}

const plain: readonly WrittenType[] = [
  { text: 'string', value: fc.string(), hasDate: false },
  { text: 'number', value: fc.integer(), hasDate: false },
  { text: 'boolean', value: fc.boolean(), hasDate: false },
  { text: "'a' | 'b' | 3", value: fc.constantFrom('a', 'b', 3), hasDate: false },
  { text: `\`n-\${number}\``, value: fc.nat().map((n) => `n-${n}`), hasDate: false },
  { text: 'string & { readonly brand: 1 }', value: fc.string(), hasDate: false },
  { text: 'Uppercase<string>', value: fc.string(), hasDate: false },
  { text: 'string[] & { readonly brand: 1 }', value: fc.array(fc.string()), hasDate: false },
  {
    text: `{ [key: \`x\${number}\`]: number; y?: number }`,
    value: fc.dictionary(fc.constantFrom('x1', 'y'), fc.nat(), { noNullPrototype: true }),
    hasDate: false,
  },
  {
    text: '{ [key: string]: string | number; [at: number]: string }',
    value: fc.constantFrom({}, { a: 1, 2: 'b' }),
    hasDate: false,
  },
  { text: 'Record<number, string>', value: fc.constantFrom({}, { 1: 'a' }), hasDate: false },
  {
    text: `{ [key: \`a-\${string}\`]: string | number; [key: \`a-b\${string}\`]: string; [key: \`c\${number}\`]: boolean }`,
    value: fc.constantFrom({}, { 'a-': 1, 'a-b': 'b', c1: true }),
    hasDate: false,
  },
  {
    text: `Record<\`at-\${string}\`, Date>`,
    value: fc.constantFrom({}, { 'at-': '2020-01-01T00:00:00.000Z' }),
    hasDate: true,
  },
  { text: 'Record<string, never>', value: fc.constant({}), hasDate: false },
  { text: '{}', value: fc.constantFrom({}, { a: [1] }), hasDate: false },
  {
    text: '{ ok: true; error?: never } | { ok: false; error: string }',
    value: fc.constantFrom({ ok: true }, { ok: false, error: '' }),
    hasDate: false,
  },
]

/** Names that are identifiers, that are not, and that generated code uses for something else. */
const memberName = fc.constantFrom('at', 'by', 'item', 'call', 'output', 'run', 'odd name', 'new', 'a-b', '0')

function objectOf(members: readonly Member[]): WrittenType {
  const required = members.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  const written = members.map(
    ({ name, isOptional, type }) => `${JSON.stringify(name)}${isOptional ? '?' : ''}: ${type.text}`,
  )
  return {
    text: `{ ${written.join('; ')} }`,
    value: fc.record(Object.fromEntries(members.map(({ name, type }) => [name, type.value])), {
      requiredKeys: required,
      noNullPrototype: true,
    }),
    hasDate: members.some(({ type }) => type.hasDate),
  }
}

/** Types that `generate` takes: a Date stands neither in a union with other things nor behind an optional item. */
export const writtenType: fc.Arbitrary<WrittenType> = fc.letrec<{ type: WrittenType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'type' },
    fc.oneof(
      { arbitrary: fc.constantFrom(date, { ...date, text: 'Date & { readonly brand: 1 }' }), weight: 2 },
      { arbitrary: fc.constantFrom(...plain), weight: 1 },
    ),
    fc.tuple(tie('type'), fc.constantFrom('', 'readonly ')).map(([{ text, value, hasDate }, readonly]) => ({
      text: `${readonly}(${text})[]`,
      value: fc.array(value, { maxLength: 3 }),
      hasDate,
    })),
    tie('type').map(({ text, value, hasDate }) => ({
      text: `(${text}) | null`,
      value: fc.option(value),
      hasDate,
    })),
    tie('type').map(({ text, value, hasDate }) => ({
      text: `Record<string, ${text}>`,
      value: fc.dictionary(fc.stringMatching(/^[a-z -]{0,4}$/), value, { maxKeys: 3, noNullPrototype: true }),
      hasDate,
    })),
    fc.tuple(tie('type'), tie('type')).map(([left, right]) => ({
      text: `[${left.text}, ${right.text}]`,
      value: fc.tuple(left.value, right.value),
      hasDate: left.hasDate || right.hasDate,
    })),
    fc
      .uniqueArray(fc.record({ name: memberName, isOptional: fc.boolean(), type: tie('type') }), {
        selector: ({ name }) => name,
        minLength: 1,
        maxLength: 4,
      })
      .map(objectOf),
  ),
})).type
