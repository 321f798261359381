// The tools that every suite measures: made by seed, so that two machines measure the same. Mixed as real ones are:
// plain and bounded strings, formats, patterns, bounded numbers, enums, lists, nested objects, unions, about a third of
// the fields optional. Without dependencies; the real tools of a public server join where
// CALLSHEET_TEST_DATA names a folder that has them.
import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {{ name: string, description: string, parameters: object, output: object }} BenchTool
 */

const verbs = words(
  'add archive assign book cancel check close compare convert copy count create delete describe draft estimate export fetch filter find import label link list merge move open plan publish rank rename replace reserve review search send sort split summarize update',
)
const nouns = words(
  'account answer article batch branch budget calendar card channel chart city claim comment contact course device event export file folder guest invoice issue lesson message meter note offer order page parcel person photo policy price quote report room route row sample score shift site stock survey task team ticket topic trip vendor visit',
)
const fieldNames = words(
  'title text state kind owner parent amount currency total from until createdAt email website tags ids limit offset cursor locale zone notes reason origin target sortBy order dryRun notify format language revision minimum maximum weight street phone extra span files steps people settings color code key',
)
const vocabulary = words(
  'the a of to for with without each every entry value name which that is are given only when none all newest first used shown sent kept read by default at most one record list place person time number short plain text code known before after between limit match',
)
const choices = [
  ['low', 'medium', 'high'],
  ['open', 'paused', 'closed', 'unknown'],
  ['ascending', 'descending'],
  ['eur', 'usd', 'sek', 'inr', 'brl'],
  ['draft', 'review', 'final', 'withdrawn', 'archived', 'lost'],
]
/** A pattern, a text that it allows and one that it does not. */
const patterns = [
  ['^[A-Z]{2}-[0-9]{3,6}$', 'QK-2048', 'qk2048'],
  ['^[a-z][a-z0-9-]{1,40}$', 'north-gate-7', '-'],
  ['^#[0-9a-f]{6}$', '#20c0ff', 'blue'],
]
const formats = {
  email: 'ada@example.org',
  uri: 'https://example.org/path?q=1',
  'date-time': '2031-05-06T07:08:09Z',
  date: '2031-05-06',
  uuid: '0b6f1c9e-3d1c-4f57-9a0e-5e2f7a1d9c44',
}

/** Makes `count` tools, always the same ones for the same seed; fewer are the beginning of more. */
export function makeTools(count, seed = 1) {
  if (count > verbs.length * nouns.length) throw new Error(`At most ${verbs.length * nouns.length} tools.`)
  const random = randomSource(seed)
  return Array.from({ length: count }, (_, index) => ({
    name: toolName(index),
    description: sentence(random, 8, 24),
    parameters: objectSchema(random, { from: 3, to: 8, depth: 2, described: true }),
    output: objectSchema(random, { from: 2, to: 6, depth: 1, described: false }),
  }))
}

/** The 117 tools of github/github-mcp-server, in our form; undefined where the file is not at hand. */
export function realTools() {
  const folder = process.env.CALLSHEET_TEST_DATA
  const path = `${folder}/github-mcp-tools.json`
  if (folder === undefined || !existsSync(path)) return undefined
  const { tools, result } = JSON.parse(readFileSync(path, 'utf8'))
  return (tools ?? result.tools).map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema,
  }))
}

/** The schema that Callsheet registers for a tool. */
export function toolSchema({ name, description, parameters, output }) {
  const { properties = {}, required = [], ...rest } = parameters
  return {
    ...rest,
    type: 'object',
    description,
    required: ['_tool', ...required],
    properties: {
      _tool: { type: 'string', const: name },
      ...properties,
      ...(output && { _output: output }),
    },
  }
}

/** A definition file of Callsheet that declares the tools. */
export function definitionSource(tools) {
  const declared = tools.map(({ name, description, parameters, output }) => {
    const members = Object.entries(parameters.properties).map(([key, schema]) =>
      typeBoxMember(key, schema, parameters),
    )
    const properties = [...members, `_output: ${typeBoxSource(output)}`].join(', ')
    return `export const ${name} = tool(${text(name)}, { ${properties} }, { description: ${text(description)} })\n`
  })
  return `import { tool } from 'callsheet'\nimport { Type } from 'typebox'\n\n${declared.join('\n')}`
}

/** A value that the schema allows. */
export function validValue(schema, random) {
  if ('const' in schema) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return validValue(random.pick(schema.anyOf), random)
  if (schema.type === 'string') return validText(schema, random)
  if (schema.type === 'integer') return random.between(schema.minimum, schema.maximum)
  if (schema.type === 'number') return schema.minimum + random.between(0, 9999) / 8
  if (schema.type === 'boolean') return random.chance(0.5)
  if (schema.type === 'null') return null
  if (schema.type === 'array') {
    return Array.from({ length: random.between(1, 4) }, () => validValue(schema.items, random))
  }
  const present = Object.entries(schema.properties).filter(
    ([key]) => schema.required.includes(key) || random.chance(0.6),
  )
  return Object.fromEntries(present.map(([key, member]) => [key, validValue(member, random)]))
}

/** A valid value of an object schema, with one thing made wrong. */
export function invalidValue(schema, random) {
  const value = validValue(schema, random)
  const way = random.between(0, 9)
  if (way < 3) delete value[random.pick(schema.required)]
  else if (way < 5) value.notAField = true
  else {
    const key = random.pick(Object.keys(value))
    value[key] = wrongValue(schema.properties[key])
  }
  return value
}

/** Numbers by seed, evenly spread: a Weyl sequence, mixed. */
export function randomSource(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  return {
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    chance: (share) => next() < share,
  }
}

/** A schema as TypeBox source. */
export function typeBoxSource(schema) {
  if ('const' in schema) return `Type.Literal(${text(schema.const)})`
  if (schema.enum) return `Type.Enum(${JSON.stringify(schema.enum)}${said(schema, ['type'], ', ')})`
  if (schema.anyOf)
    return `Type.Union([${schema.anyOf.map(typeBoxSource).join(', ')}]${said(schema, [], ', ')})`
  if (schema.type === 'array')
    return `Type.Array(${typeBoxSource(schema.items)}${said(schema, ['maxItems'], ', ')})`
  if (schema.type === 'object') {
    const members = Object.entries(schema.properties).map(([key, member]) =>
      typeBoxMember(key, member, schema),
    )
    return `Type.Object({ ${members.join(', ')} }${said(schema, ['additionalProperties'], ', ')})`
  }
  const kind = schema.type[0].toUpperCase() + schema.type.slice(1)
  return `Type.${kind}(${said(schema, ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'], '')})`
}

/** A schema as zod source. */
export function zodSource(schema) {
  const described = schema.description === undefined ? '' : `.describe(${text(schema.description)})`
  return zodKind(schema) + described
}

function zodKind(schema) {
  if ('const' in schema) return `z.literal(${text(schema.const)})`
  if (schema.enum) return `z.enum(${JSON.stringify(schema.enum)})`
  if (schema.anyOf) return `z.union([${schema.anyOf.map(zodSource).join(', ')}])`
  if (schema.type === 'array') return `z.array(${zodSource(schema.items)}).max(${schema.maxItems})`
  if (schema.type === 'null') return 'z.null()'
  if (schema.type === 'boolean') return 'z.boolean()'
  if (schema.type === 'number') return `z.number().min(${schema.minimum})`
  if (schema.type === 'integer') return `z.number().int().min(${schema.minimum}).max(${schema.maximum})`
  if (schema.type === 'string') return zodText(schema)
  const members = Object.entries(schema.properties).map(([key, member]) => {
    const optional = schema.required.includes(key) ? '' : '.optional()'
    const described = member.description === undefined ? '' : `.describe(${text(member.description)})`
    return `${key}: ${zodKind(member)}${optional}${described}`
  })
  return `z.strictObject({ ${members.join(', ')} })`
}

const zodFormats = {
  email: 'z.email()',
  uri: 'z.url()',
  'date-time': 'z.iso.datetime({ offset: true })',
  date: 'z.iso.date()',
  uuid: 'z.uuid()',
}

function zodText(schema) {
  if (schema.format) return zodFormats[schema.format]
  if (schema.pattern) return `z.string().regex(new RegExp(${text(schema.pattern)}))`
  return schema.maxLength === undefined ? 'z.string()' : `z.string().min(1).max(${schema.maxLength})`
}

function typeBoxMember(key, schema, parent) {
  const source = typeBoxSource(schema)
  return `${key}: ${parent.required.includes(key) ? source : `Type.Optional(${source})`}`
}

/** The named keywords and the description as an object literal, or nothing. */
function said(schema, keywords, before) {
  const found = [...keywords, 'description'].filter((key) => key in schema)
  if (found.length === 0) return ''
  return `${before}{ ${found.map((key) => `${key}: ${JSON.stringify(schema[key])}`).join(', ')} }`
}

function toolName(index) {
  const verb = verbs[index % verbs.length]
  const round = Math.floor(index / verbs.length)
  // Each round takes the next noun for the same verb, so no pair comes twice.
  const noun = nouns[(index + round) % nouns.length]
  return verb + noun[0].toUpperCase() + noun.slice(1)
}

function objectSchema(random, { from, to, depth, described }) {
  const properties = {}
  const required = []
  const count = random.between(from, to)
  while (Object.keys(properties).length < count) {
    const key = random.pick(fieldNames)
    if (key in properties) continue
    const schema = fieldSchema(random, depth)
    properties[key] = described ? { ...schema, description: sentence(random, 4, 11) } : schema
    if (random.chance(0.65)) required.push(key)
  }
  if (required.length === 0) required.push(Object.keys(properties)[0])
  return { type: 'object', properties, required, additionalProperties: false }
}

function fieldSchema(random, depth) {
  const way = random.between(0, 99)
  if (way < 62 || (depth === 0 && way >= 73)) return plainSchema(random)
  if (way < 73) return { type: 'array', items: plainSchema(random), maxItems: random.pick([8, 16, 40]) }
  const nested = (from, to, described) => objectSchema(random, { from, to, depth: depth - 1, described })
  if (way < 79) return { type: 'array', items: nested(2, 4, false), maxItems: 16 }
  if (way < 88) return nested(2, 4, true)
  if (way < 93) return { anyOf: [plainSchema(random), { type: 'null' }] }
  if (way < 96) return { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0, maximum: 9999 }] }
  return { anyOf: ['one', 'several'].map((kind) => withKind(kind, nested(1, 3, false))) }
}

/** One alternative of a union that a literal field tells apart. */
function withKind(kind, schema) {
  const { kind: replaced, ...properties } = schema.properties
  const required = schema.required.filter((key) => key !== 'kind')
  return {
    ...schema,
    properties: { kind: { type: 'string', const: kind }, ...properties },
    required: ['kind', ...required],
  }
}

function plainSchema(random) {
  const way = random.between(0, 99)
  if (way < 20) return { type: 'string' }
  if (way < 32) return { type: 'string', minLength: 1, maxLength: random.pick([40, 120, 800]) }
  if (way < 46) return { type: 'string', format: random.pick(Object.keys(formats)) }
  if (way < 54) return { type: 'string', pattern: random.pick(patterns)[0] }
  if (way < 70) return { type: 'integer', minimum: random.pick([0, 1]), maximum: random.pick([9, 99, 999]) }
  if (way < 78) return { type: 'number', minimum: 0 }
  if (way < 88) return { type: 'boolean' }
  return { type: 'string', enum: random.pick(choices) }
}

function validText({ format, pattern, maxLength = 200 }, random) {
  if (format) return formats[format]
  if (pattern) return patterns.find(([source]) => source === pattern)[1]
  return sentence(random, 2, 6).slice(0, maxLength)
}

function wrongValue(schema) {
  if (schema.anyOf || schema.type === 'object' || schema.type === 'array') return { none: 'of these' }
  if (schema.enum) return 'not among them'
  if (schema.pattern) return patterns.find(([source]) => source === schema.pattern)[2]
  if (schema.format) return `no ${schema.format}`
  return schema.type === 'string' ? 42 : 'a text'
}

function sentence(random, from, to) {
  const list = Array.from({ length: random.between(from, to) }, () => random.pick(vocabulary))
  const joined = list.join(' ')
  return `${joined[0].toUpperCase()}${joined.slice(1)}.`
}

function text(value) {
  return JSON.stringify(value)
}

function words(list) {
  return list.split(' ')
}
