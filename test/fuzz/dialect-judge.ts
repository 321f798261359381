import { type DialectName, dialectNames, type JsonSchema, type Schema } from 'callsheet'

/** What one provider or engine refuses, by its documentation, its SDK or a recorded answer; written apart from `runtime/dialects`. */
interface Rules {
  /** Keywords that it takes; any other is an error or does nothing. */
  readonly keywords: readonly string[]
  readonly formats: readonly string[]
  readonly objectRoot?: true
  /** Every object lists all its properties as required. */
  readonly allRequired?: true
  /** Every schema has a type, alternatives or a reference. */
  readonly typed?: true
  /** Nothing stands beside `$ref`. */
  readonly bareRef?: true
  readonly noRecursion?: true
  /** Types that `enum` may list. */
  readonly listed?: readonly string[]
  readonly pattern?: (pattern: string, node: JsonSchema) => boolean
  readonly other?: (node: JsonSchema) => string | undefined
}

const common =
  'type properties required additionalProperties items enum anyOf $ref $defs title description'.split(' ')
const openai: Rules = {
  keywords: [
    ...common,
    ...'const pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems'.split(
      ' ',
    ),
  ],
  formats: 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '),
  objectRoot: true,
  allRequired: true,
  typed: true,
  bareRef: true,
  // Each has a reported answer: lookaround, what Python cannot compile, and what Rust cannot.
  pattern: (pattern) => !/\(\?[^:]|\\[pPbBkc1-9]|\\u\{|\[[^\]\\]*\[/.test(pattern),
}

const rules: Partial<Record<DialectName, Rules>> = {
  openai,
  mistral: openai,
  anthropic: {
    keywords: [...common, 'const', 'default', 'format', 'pattern', 'minItems'],
    formats: [...openai.formats, 'uri'],
    objectRoot: true,
    typed: true,
    bareRef: true,
    noRecursion: true,
    pattern: (pattern) => !/\(\?[=!<]|\\[bBk1-9]/.test(pattern),
    other: ({ minItems }) =>
      minItems === undefined || minItems === 0 || minItems === 1 ? undefined : 'minItems over 1',
  },
  gemini: {
    keywords: [
      ...common,
      'prefixItems',
      'format',
      'minItems',
      'maxItems',
      'minimum',
      'maximum',
      'propertyOrdering',
    ],
    formats: ['date-time', 'date', 'time'],
    objectRoot: true,
    typed: true,
    bareRef: true,
    listed: ['string', 'number'],
    other: ({ type, enum: list }) => {
      if (list?.includes('')) return 'an empty text in a list'
      return Array.isArray(type) && (type.length > 2 || !type.includes('null'))
        ? 'a list of types'
        : undefined
    },
  },
  xgrammar: {
    keywords: [
      ...common,
      ...'const prefixItems pattern format minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems minProperties maxProperties'.split(
        ' ',
      ),
      ...['default', 'examples', 'deprecated'],
    ],
    formats: [...openai.formats, 'uri', 'uri-reference', 'uri-template'],
    pattern: (pattern, node) => /^\^.*\$$/su.test(pattern) && node.format === undefined,
    other: (node) =>
      ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].some(
        (keyword) =>
          node[keyword] !== undefined &&
          ([node.type].flat().includes('number') ||
            ([node.type].flat().includes('integer') && !Number.isSafeInteger(node[keyword]))),
      )
        ? 'a bound of no integer'
        : undefined,
  },
  'llama.cpp': {
    keywords: [
      ...common,
      ...'const pattern format minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems minLength maxLength'.split(
        ' ',
      ),
      ...['default', 'examples', 'deprecated'],
    ],
    formats: ['date', 'time', 'date-time', 'uuid'],
    pattern: (pattern) => /^\^.*\$$/su.test(pattern) && !/\\[dwsDWSbB]|\(\?[=!<]/.test(pattern),
    other: (node) =>
      ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].some(
        (keyword) => node[keyword] !== undefined,
      ) && [node.type].flat().includes('number')
        ? 'a bound of no integer'
        : undefined,
  },
}

export const judgedDialects = dialectNames.filter((name) => rules[name])

/** Everything in a lowered schema that its dialect refuses. */
export function refusedBy(dialect: DialectName, root: JsonSchema): string[] {
  const judged = rules[dialect]
  if (!judged) return []
  const found: string[] = []
  const visit = (schema: Schema, at: string, isRoot: boolean): void => {
    if (typeof schema === 'boolean') {
      if (judged.typed) found.push(`${at}: a boolean schema`)
      return
    }
    for (const problem of problemsOf(schema, judged, root, isRoot)) found.push(`${at}: ${problem}`)
    const { properties = {}, $defs = {}, items, prefixItems = [], anyOf = [], additionalProperties } = schema
    for (const [name, child] of Object.entries(properties)) visit(child, `${at}/properties/${name}`, false)
    for (const [name, child] of Object.entries($defs)) visit(child, `${at}/$defs/${name}`, false)
    for (const [index, child] of [...anyOf, ...prefixItems].entries()) visit(child, `${at}/${index}`, false)
    if (items !== undefined && typeof items !== 'boolean') visit(items as Schema, `${at}/items`, false)
    if (typeof additionalProperties === 'object')
      visit(additionalProperties, `${at}/additionalProperties`, false)
  }
  visit(root, '', true)
  if (judged.objectRoot && (root.type !== 'object' || root.anyOf !== undefined))
    found.push('the root is no object')
  if (judged.noRecursion && leadsBack(root)) found.push('a reference leads back')
  return found
}

function problemsOf(node: JsonSchema, judged: Rules, root: JsonSchema, isRoot: boolean): string[] {
  const found = Object.keys(node).filter((keyword) => !judged.keywords.includes(keyword))
  const { type, $ref, anyOf, properties, required = [], additionalProperties, pattern, format } = node
  if (node.$defs && !isRoot) found.push('$defs below the root')
  if ($ref !== undefined) {
    if (!Object.hasOwn(root.$defs ?? {}, $ref.replace('#/$defs/', ''))) found.push(`${$ref} leads nowhere`)
    if (judged.bareRef && Object.keys(node).some((keyword) => keyword !== '$ref' && keyword !== '$defs')) {
      found.push('something beside $ref')
    }
  }
  if (judged.typed && type === undefined && !anyOf && $ref === undefined) found.push('no type')
  if (Array.isArray(type) && (type.length === 0 || new Set(type).size < type.length))
    found.push(`type ${type}`)
  if (anyOf?.length === 0) found.push('an empty anyOf')
  if (node.enum?.length === 0) found.push('an empty enum')
  for (const value of [...(node.enum ?? []), ...('const' in node ? [node.const] : [])]) {
    if (judged.typed && typeof value === 'object' && value !== null) found.push('a fixed object')
    else if (judged.listed && !judged.listed.includes(typeof value)) found.push(`enum of ${typeof value}`)
  }
  if (typeof format === 'string' && !judged.formats.includes(format)) found.push(`format ${format}`)
  if (typeof pattern === 'string' && judged.pattern?.(pattern, node) === false)
    found.push(`pattern ${pattern}`)
  const isObject = [type].flat().includes('object')
  if (judged.allRequired && isObject) {
    if (additionalProperties !== false) found.push('an open object')
    if (
      required.toSorted().join('\n') !==
      Object.keys(properties ?? {})
        .toSorted()
        .join('\n')
    )
      found.push('a property is not required')
  }
  if (judged.typed && [type].flat().includes('array') && !node.items && !node.prefixItems)
    found.push('no items')
  if (!required.every((name) => Object.hasOwn(properties ?? {}, name)) && additionalProperties === false) {
    found.push('a required property that there is not')
  }
  const other = judged.other?.(node)
  return other === undefined ? found : [...found, other]
}

function leadsBack(root: JsonSchema): boolean {
  const targets = Object.fromEntries(
    Object.entries(root.$defs ?? {}).map(([name, schema]) => [
      name,
      [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]*)"/g)].map(([, to]) => to ?? ''),
    ]),
  )
  const comesBack = (name: string, from: string, seen: Set<string>): boolean =>
    (targets[name] ?? []).some((to) => to === from || (!seen.has(to) && comesBack(to, from, seen.add(to))))
  return Object.keys(targets).some((name) => comesBack(name, name, new Set()))
}
