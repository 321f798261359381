import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { isParameter } from '../schema/is-parameter.ts'
import type { JsonSchema, Schema, ToolSchema } from '../schema/schema.ts'
import { forEachChildSchema } from '../schema/schema-children.ts'
import type { ToolFacts } from '../schema/tool-facts.ts'
import { stemsOf } from './words.ts'

/** The searchable fields of a Tool, most significant first. */
export const searchFields = ['name', 'about', 'parameters', 'values', 'details'] as const

export type SearchField = (typeof searchFields)[number]

/**
 * The index of one Tool: the stems of each field, in order.
 *
 * - `name`: the Tool's name;
 * - `about`: title and description;
 * - `parameters`: the names of parameters, nested ones too;
 * - `values`: the values of enums and examples;
 * - `details`: the descriptions of parameters, and the words of the output's schema.
 */
export interface SearchEntry extends Readonly<Record<SearchField, readonly string[]>> {
  readonly tool: string
}

/** Most stems of a field: an enum can list ten thousand values, and the first ones show what it is about. */
const mostStems = 300

/** Deepest subschema whose words are read, counting through definitions. Deeper ones do not help to tell Tools apart. */
const deepest = 200

/** Builds the index entry of a Tool from its schema. */
export function searchEntryOf(facts: ToolFacts, schema: ToolSchema): SearchEntry {
  const words: Record<SearchField, string[]> = {
    name: [facts.name],
    about: [textOf(schema.title), textOf(schema.description)],
    parameters: [],
    values: examplesOf(schema.examples),
    details: [],
  }
  const reader = new SchemaReader(schema.$defs)
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (isParameter(facts, name)) {
      words.parameters.push(name)
      const { parameters, values, details } = words
      reader.read(property, { names: parameters, descriptions: details, values })
    } else if (name === '_output') {
      const { details } = words
      reader.read(property, { names: details, descriptions: details, values: details })
    }
  }
  const stems = (field: SearchField): string[] => stemsOf(words[field].join(' ')).slice(0, mostStems)
  return {
    tool: facts.name,
    name: stems('name'),
    about: stems('about'),
    parameters: stems('parameters'),
    values: stems('values'),
    details: stems('details'),
  }
}

/** The fields that the words of a schema are added to. */
interface SchemaWords {
  readonly names: string[]
  readonly descriptions: string[]
  readonly values: string[]
}

/** Collects the words of schemas; each shared definition counts once. */
class SchemaReader {
  readonly #definitions: Readonly<Record<string, unknown>>
  readonly #seen = new Set<string>()

  constructor(definitions: unknown) {
    this.#definitions = isJsonObject(definitions) ? definitions : {}
  }

  read(schema: unknown, into: SchemaWords, depth = 0): void {
    if (!isJsonObject(schema) || depth > deepest) return
    const { names, descriptions, values } = into
    descriptions.push(textOf(schema.title), textOf(schema.description))
    const listed: unknown[] = Array.isArray(schema.enum) ? schema.enum : [schema.const]
    values.push(...listed.slice(0, mostStems).map(textOf), ...examplesOf(schema.examples))
    const definition = definitionName(schema.$ref)
    if (
      definition !== undefined &&
      !this.#seen.has(definition) &&
      Object.hasOwn(this.#definitions, definition)
    ) {
      this.#seen.add(definition)
      this.read(this.#definitions[definition], into, depth + 1)
    }
    forEachChildSchema(schema as JsonSchema, (child: Schema, keyword, key) => {
      if (keyword === '$defs') return
      if (keyword === 'properties' && key !== undefined) names.push(key)
      this.read(child, into, depth + 1)
    })
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the strings within example values, at any depth. */
function examplesOf(examples: unknown, depth: number = 0): string[] {
  if (typeof examples === 'string') return [examples]
  if (typeof examples !== 'object' || examples === null || depth > 4) return []
  return Object.entries(examples)
    .filter(([name]) => !name.startsWith('_'))
    .slice(0, mostStems)
    .flatMap(([, value]) => examplesOf(value, depth + 1))
}
