import { definitionName, definitionRef } from '../../runtime/json/definition-reference.ts'
import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { pointerOf } from '../../runtime/json/json-pointer.ts'
import type { Keyword } from '../../runtime/keywords/keyword-table.ts'
import { holdsOnlySchemas, keywordOf } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { isSchema } from '../../runtime/schema/schema-children.ts'
import { misspeltKeyword } from '../check/misspelt-keyword.ts'
import type { Finding } from '../model.ts'
import { toIdentifier } from '../names/names.ts'
import { importFinding, quoted } from './import-finding.ts'
import { References } from './resolve-reference.ts'
import { isAnnotation, schemaKeyword } from './schema-keywords.ts'
import { upgradeSchema } from './upgrade-schema.ts'

/** The location of a schema, for findings and for resolving its references. */
interface Place {
  readonly document: Document
  readonly pointer: string
}

/** A source schema with its references, and the definitions created for them so far. */
interface Document {
  readonly references: References
  /** The name of each definition, by its pointer. */
  readonly names: Map<string, string>
}

/**
 * Converts the schemas of one tool to plain JSON Schema 2020-12 with every reference as `#/$defs/Name`. Drops keywords that no
 * validator reads, since other programs may treat their values as code (`tsType`).
 */
export class SchemaNormaliser {
  readonly findings: Finding[] = []
  readonly #tool: string
  readonly #isNative: boolean
  readonly #definitions = new Map<string, Schema>()
  /** The number behind the last definition of each name. */
  readonly #repeats = new Map<string, number>()
  readonly #dropped = new Set<string>()
  /** Definitions that were found but not converted yet. */
  readonly #waiting: { name: string; source: JsonObject | boolean; place: Place }[] = []

  /** @param isNative Whether the schemas are those of a Callsheet Tool, whose parameters can say that text is text. */
  constructor(tool: string, isNative: boolean) {
    this.#tool = tool
    this.#isNative = isNative
  }

  /** @param root The document that its references are relative to. */
  normalise(root: JsonObject): JsonSchema {
    const document: Document = { references: new References(root), names: new Map() }
    const schema = this.#schema(root, { document, pointer: '' })
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#definitions.set(next.name, this.#schema(next.source, next.place))
    }
    return typeof schema === 'boolean' ? {} : this.#inlineRoot(schema)
  }

  /** Returns the definitions that these schemas use, in order of discovery. */
  definitionsOf(...roots: readonly Schema[]): Record<string, Schema> {
    const reached = new Set<string>()
    const queue: unknown[] = [...roots]
    while (queue.length > 0) {
      const value = queue.pop()
      if (typeof value !== 'object' || value === null) continue
      for (const [key, member] of Object.entries(value)) {
        const name = key === '$ref' ? definitionName(member) : undefined
        if (name !== undefined && this.#definitions.has(name) && !reached.has(name)) {
          reached.add(name)
          queue.push(this.#definitions.get(name))
        }
        if (typeof member === 'object') queue.push(member)
      }
    }
    return Object.fromEntries([...this.#definitions].filter(([name]) => reached.has(name)))
  }

  /** Adds one note that names all dropped keywords, and a warning for those that are probably misspelt. */
  noteDropped(): void {
    if (this.#dropped.size === 0) return
    const names = [...this.#dropped].map(quoted).join(', ')
    for (const word of this.#dropped) {
      const meant = misspeltKeyword(word)
      if (meant === undefined) continue
      const message = `${quoted(word)} in the schema of ${quoted(this.#tool)} limits nothing: it is near ${quoted(meant)}.`
      this.findings.push(importFinding('import-misspelt', message, { tool: this.#tool }))
    }
    this.findings.push(
      importFinding('import-dropped', `Keywords that decide nothing were left out: ${names}.`, {
        tool: this.#tool,
      }),
    )
  }

  /** Replaces a root that is only a reference by its target, which is easier to read. */
  #inlineRoot(schema: JsonSchema): JsonSchema {
    const { $ref, ...rest } = schema
    if ($ref === undefined) return schema
    const target = this.#definitions.get(definitionName($ref) ?? '')
    if (isJsonObject(target) && Object.keys(rest).every(isAnnotation))
      return this.#inlineRoot({ ...target, ...rest })
    return { ...rest, allOf: [{ $ref }, ...(rest.allOf ?? [])] }
  }

  #schema(source: JsonObject | boolean, place: Place): Schema {
    if (typeof source === 'boolean') return source
    if (holdsOnlySchemas(source)) {
      const message = `${quoted(source)} in the schema of ${quoted(this.#tool)} limits nothing: it has no keyword of JSON Schema.`
      this.findings.push(
        importFinding('import-misspelt', message, { tool: this.#tool, pointer: place.pointer }),
      )
    }
    const schema: JsonObject = {}
    for (const [keyword, value] of Object.entries(upgradeSchema(source))) {
      const kind = keywordOf(keyword)?.kind
      // Already processed, or without meaning here.
      if (kind === 'document' || keyword === 'definitions') continue
      if (kind === 'dynamic') {
        this.#refuse('import-reference', `"${keyword}" is not read; only "$ref" is`, place)
        continue
      }
      const known = schemaKeyword(keyword)
      if (keyword === '$ref' && typeof value === 'string') schema.$ref = this.#reference(source, value, place)
      else if (known?.accepts(value)) schema[keyword] = this.#keyword(known.keyword, value, place)
      else if (this.#isNative && keyword === 'references' && value === false) schema.references = value
      else if (!known || isAnnotation(keyword)) this.#dropped.add(keyword)
      else
        this.#refuse(
          'import-schema',
          `"${keyword}" is ${quoted(value)}, not ${known.expected}`,
          below(place, keyword),
        )
    }
    return withoutForbidden(withoutIdleKeywords(schema))
  }

  #keyword({ name: keyword, place: holds }: Keyword, value: unknown, place: Place): unknown {
    const at = below(place, keyword)
    if (keyword === 'type' && Array.isArray(value)) return value.length === 1 ? value[0] : [...new Set(value)]
    if ((keyword === 'required' || keyword === 'enum') && Array.isArray(value)) return withoutRepeats(value)
    if (holds === 'single' && isSchema(value)) return this.#schema(value, at)
    if (holds === 'list' && Array.isArray(value)) {
      return value.map((one, index) => this.#schema(one, below(at, String(index))))
    }
    if (holds === 'map' && isJsonObject(value)) {
      const entries = Object.entries(value).map(([name, one]): [string, Schema] => [
        name,
        isSchema(one) ? this.#schema(one, below(at, name)) : true,
      ])
      return Object.fromEntries(entries)
    }
    return value
  }

  #reference(source: JsonObject, reference: string, place: Place): string {
    const { references, names } = place.document
    const resolved = references.resolve(source, reference)
    const at = below(place, '$ref')
    if ('problem' in resolved) {
      this.#refuse(
        'import-reference',
        `the reference ${quoted(reference)} is refused: ${resolved.problem}`,
        at,
      )
      return reference
    }
    if (references.isCircular(source)) {
      this.#refuse('import-reference', `the reference ${quoted(reference)} leads only to itself`, at)
      return reference
    }
    const pointer = pointerOf(resolved.segments)
    const known = names.get(pointer)
    if (known !== undefined) return definitionRef(known)
    const name = this.#freshName(resolved.segments)
    names.set(pointer, name)
    // Reserves its position; converted later, since a long chain of definitions would overflow the stack.
    this.#definitions.set(name, true)
    this.#waiting.push({ name, source: resolved.target, place: { ...place, pointer } })
    return definitionRef(name)
  }

  #freshName(segments: readonly string[]): string {
    const wanted = segments.findLast((segment) => !/^\d+$/.test(segment)) ?? 'Self'
    const plain =
      /^[A-Za-z]\w*$/.test(wanted) && !(wanted in Object.prototype) ? wanted : toIdentifier(wanted)
    let name = plain
    let count = this.#repeats.get(plain) ?? 1
    while (this.#definitions.has(name)) name = `${plain}${++count}`
    this.#repeats.set(plain, count)
    return name
  }

  #refuse(rule: 'import-schema' | 'import-reference', problem: string, { pointer }: Place): void {
    this.findings.push(
      importFinding(rule, `Tool ${quoted(this.#tool)}: ${problem}.`, { tool: this.#tool, pointer }),
    )
  }
}

function below(place: Place, segment: string): Place {
  return { ...place, pointer: place.pointer + pointerOf([segment]) }
}

/** Removes duplicates, which strict validators refuse. */
function withoutRepeats(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

/** Removes keywords without effect because their counterpart is missing, which strict validators refuse. */
function withoutIdleKeywords(schema: JsonObject): JsonObject {
  const isIdle = (keyword: string): boolean => {
    const partner = keywordOf(keyword)?.beside
    return partner !== undefined && !Object.hasOwn(schema, partner)
  }
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isIdle(keyword)))
}

/**
 * Leaves out the optional properties of a closed object that allow no value, as Zod writes `z.never().optional()`: a property that
 * is not declared is refused as well.
 */
export function withoutForbidden<Given extends JsonObject>(schema: Given): Given {
  const { properties, additionalProperties, patternProperties, required = [] } = schema
  if (!isJsonObject(properties) || additionalProperties !== false || patternProperties) return schema
  const isNeeded = (name: string): boolean => Array.isArray(required) && required.includes(name)
  const allowed = Object.entries(properties).filter(([name, part]) => isNeeded(name) || !isForbidden(part))
  return { ...schema, properties: Object.fromEntries(allowed) }
}

function isForbidden(schema: unknown): boolean {
  if (!isJsonObject(schema)) return schema === false
  const { not } = schema
  return not === true || (isJsonObject(not) && Object.keys(not).every(isAnnotation))
}
