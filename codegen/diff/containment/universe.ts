import { checkTree } from '../../../runtime/check-tree/build.ts'
import { buildDefinitions } from '../../../runtime/check-tree/definitions.ts'
import { linkStep } from '../../../runtime/check-tree/link-check.ts'
import { linkDefinitions } from '../../../runtime/check-tree/link-schema.ts'
import { patternsIn } from '../../../runtime/check-tree/patterns.ts'
import { definitionReferences, type References } from '../../../runtime/check-tree/references.ts'
import { unsupportedSchema } from '../../../runtime/check-tree/supported.ts'
import { check } from '../../../runtime/checks/check.ts'
import { guardPattern } from '../../../runtime/checks/guard-pattern.ts'
import type { Step } from '../../../runtime/checks/step.ts'
import type { Problem } from '../../../runtime/errors.ts'
import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { definitionName } from '../../../runtime/json/definition-reference.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { forEachChildSchema } from '../../../runtime/schema/schema-children.ts'
import type { Check } from '../../../runtime/schema/validator.ts'
import { plainAssertions } from './plain-assertions.ts'

/** A schema and the definitions that its `#/$defs/Name` refer to. */
export interface Contained {
  readonly schema: Schema
  readonly definitions: Readonly<Record<string, Schema>>
}

/**
 * Two normalised schemas with their definitions under unique names. Equal definitions of both sides share a name, so that
 * unchanged parts are recognised at once.
 */
export class Universe {
  readonly first: Schema
  readonly second: Schema
  /** Why the schemas cannot be compared: one of them is not a schema that checks support. */
  readonly obstacle: string | undefined
  readonly #definitions: Record<string, Schema> = {}
  readonly #checks = new Map<Schema, Check>()
  /** Finds the checks of definitions by name. */
  #steps: ((name: string) => Step) | undefined
  readonly #texts = new Map<object, string>()
  readonly #numbers = new Map<string, number>()
  readonly #opened = new Map<JsonSchema, JsonSchema>()

  constructor(first: Contained, second: Contained) {
    this.obstacle = obstacleIn(first) ?? obstacleIn(second)
    if (this.obstacle !== undefined) {
      this.first = true
      this.second = true
      return
    }
    const shared = sameDefinitions(first.definitions, second.definitions)
    this.first = this.#add(first, (name) => (shared.has(name) ? name : `1 ${name}`))
    this.second = this.#add(second, (name) => (shared.has(name) ? name : `2 ${name}`))
  }

  #add({ schema, definitions }: Contained, rename: (name: string) => string): Schema {
    for (const [name, definition] of Object.entries(definitions)) {
      this.#definitions[rename(name)] = plainAssertions(definition, rename)
    }
    return plainAssertions(schema, rename)
  }

  /** Resolves a reference. */
  target(reference: string): Schema {
    return this.#definitions[definitionName(reference) ?? ''] ?? false
  }

  /** Returns a canonical text, equal for schemas with the same keywords and values. */
  text(schema: Schema): string {
    if (typeof schema === 'boolean') return String(schema)
    const known = this.#texts.get(schema)
    if (known !== undefined) return known
    const text = canonicalJson(schema)
    this.#texts.set(schema, text)
    return text
  }

  /** Returns a number that is the same for schemas with the same keywords and values, and no other. */
  numberOf(schema: Schema): number {
    const text = this.text(schema)
    const number = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }

  /**
   * Removes `$ref` and `allOf`, which are followed separately, and the `unevaluated…` keywords, whose meaning depends on all
   * other keywords and would change without them. Returns the same object each time.
   */
  opened(schema: JsonSchema): JsonSchema {
    if (apart.every((keyword) => schema[keyword] === undefined)) return schema
    const { $ref, allOf, unevaluatedItems, unevaluatedProperties, ...rest } = schema
    const known = this.#opened.get(schema) ?? rest
    this.#opened.set(schema, known)
    return known
  }

  /** Returns a text that is the same for equal values. */
  valueText(value: unknown): string {
    return typeof value === 'object' ? canonicalJson(value) : JSON.stringify(value)
  }

  /** Whether a normalised schema of this universe accepts a value. */
  accepts(schema: Schema, value: unknown): boolean {
    return typeof schema === 'boolean' ? schema : this.#check(schema)(value)
  }

  /** Returns the JSON pointers at which a normalised schema refuses a value. */
  refusals(schema: Schema, value: unknown): string[] {
    if (typeof schema === 'boolean') return schema ? [] : ['']
    const problems: Problem[] = []
    this.#check(schema)(value, '', problems)
    return problems.map(({ path }) => path)
  }

  #check(schema: JsonSchema): Check {
    const known = this.#checks.get(schema)
    if (known) return known
    const references = definitionReferences(this.#definitions)
    this.#steps ??= this.#linkDefinitions(references)
    const whole = linkStep(checkTree(schema, references), this.#steps)
    const made = check((value) => whole(value, '', null), whole)
    this.#checks.set(schema, made)
    return made
  }

  /** Links all definitions. Each remembers its verdicts: generated values contain the same object in many places. */
  #linkDefinitions(references: References): (name: string) => Step {
    const { trees } = buildDefinitions(Object.keys(this.#definitions), references)
    return linkDefinitions({ trees, revisited: new Set(trees.keys()) })
  }
}

const apart = ['$ref', 'allOf', 'unevaluatedItems', 'unevaluatedProperties']

/** Explains why a schema cannot be compared; undefined if it can. Old contracts are untrusted input. */
function obstacleIn({ schema, definitions }: Contained): string | undefined {
  const references = definitionReferences(definitions)
  for (const each of [schema, ...Object.values(definitions)]) {
    const [finding] = unsupportedSchema(each, references)
    if (finding) return `${finding.pointer || 'the schema'}: ${finding.reason}`
    // Old contracts are untrusted: patterns that could hang use our own matcher.
    for (const pattern of patternsIn(each)) guardPattern(pattern)
  }
  return undefined
}

/** Finds definitions that are equal on both sides: in their text, and in everything that they refer to. */
function sameDefinitions(
  left: Contained['definitions'],
  right: Contained['definitions'],
): ReadonlySet<string> {
  const keep = (name: string): string => name
  const same = new Map<string, Schema>()
  for (const [name, definition] of Object.entries(left)) {
    const other = Object.hasOwn(right, name) ? right[name] : undefined
    if (other === undefined) continue
    const plain = plainAssertions(definition, keep)
    if (canonicalJson(plain) === canonicalJson(plainAssertions(other, keep))) same.set(name, plain)
  }
  for (let before = -1; before !== same.size; ) {
    before = same.size
    for (const [name, plain] of same) {
      if ([...references(plain)].some((other) => !same.has(other))) same.delete(name)
    }
  }
  return new Set(same.keys())
}

function references(schema: Schema, found: Set<string> = new Set()): Set<string> {
  if (typeof schema === 'boolean') return found
  const name = definitionName(schema.$ref)
  if (name !== undefined) found.add(name)
  forEachChildSchema(schema, (child) => {
    references(child, found)
  })
  return found
}
