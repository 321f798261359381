import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { isCallsheetError } from '../../runtime/errors.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { pointerSegment } from '../../runtime/json/json-pointer.ts'
import { keywordOf, rangeKeywords } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { childPointer, forEachChildSchema } from '../../runtime/schema/schema-children.ts'
import { JsonType, possibleTypes, type TypesOfDefinition, typesOfDefinitions } from '../print/json-types.ts'

/** A schema that no value can satisfy. */
export interface DeadEnd {
  readonly pointer: string
  /** The contradiction, as the rest of the sentence "nothing satisfies …". */
  readonly clash: string
}

/**
 * Finds the innermost parts of schemas, and of their definitions, that no value can satisfy: a list that must be one of two
 * strings, a minimum above the maximum, a closed object that requires an undeclared property. Has no false positives, but
 * does not find every contradiction.
 */
export function deadEnds(
  schemas: readonly Schema[],
  definitions: Readonly<Record<string, Schema>>,
): DeadEnd[] {
  const finder = new DeadEndFinder(definitions)
  const found = schemas.flatMap((schema) => finder.search(schema, ''))
  for (const [name, definition] of Object.entries(definitions)) {
    found.push(...finder.search(definition, `/$defs/${pointerSegment(name)}`))
  }
  return found
}

/** Ranges of a value itself, not of its contents. */
const ranges = rangeKeywords().filter(({ lower }) => lower.beside === undefined)

/** Whether a keyword alone decides about a value. Excludes `format`, which other validators treat as an annotation. */
function isLocal(name: string): boolean {
  const keyword = keywordOf(name)
  if (name === '$ref' || name === 'format' || keyword?.place !== undefined) return false
  return name === 'nullable' || keyword?.kind === 'assertion'
}

/** Finds dead ends among schemas that refer to the same definitions. */
export class DeadEndFinder {
  readonly #typesOf: TypesOfDefinition

  constructor(definitions: Readonly<Record<string, Schema>>) {
    this.#typesOf = typesOfDefinitions(definitions)
  }

  /** Finds the dead ends inside a schema; if there are none, checks the schema itself. */
  search(schema: Schema, pointer: string): DeadEnd[] {
    if (schema === false && pointer !== '') return [{ pointer, clash: 'nothing at all: the schema is false' }]
    if (!isJsonObject(schema)) return []
    const inner: DeadEnd[] = []
    forEachChildSchema(schema, (child, keyword, key) => {
      if (keyword === '$defs' || keywordOf(keyword)?.mayAllowNothing) return
      const at = `${pointer}${childPointer(keyword, key)}`
      inner.push(...this.search(child, at))
    })
    if (inner.length > 0) return inner
    const clash = this.contradiction(schema) ?? this.#crossing(schema)
    return clash === undefined ? [] : [{ pointer, clash }]
  }

  /** Finds a contradiction among a schema's own constants or types. */
  contradiction(schema: JsonSchema): string | undefined {
    const types = possibleTypes(schema, this.#typesOf)
    const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum
    // Another rule reports an empty list.
    if ([values, schema.anyOf, schema.oneOf].some((list) => list?.length === 0)) return undefined
    if (values && !this.#allowsOneOf(schema, values)) {
      const keyword = Object.hasOwn(schema, 'const') ? 'const' : 'enum'
      const other = schema.type === undefined ? 'the rest of it' : `"type": ${JSON.stringify(schema.type)}`
      return `both "${keyword}" and ${other}: no value of "${keyword}" is allowed`
    }
    return types === 0 ? 'all of it: its parts name different types' : undefined
  }

  /** Finds a minimum above its maximum, and properties that are both required and forbidden. */
  #crossing(schema: JsonSchema): string | undefined {
    const types = possibleTypes(schema, this.#typesOf)
    for (const { lower, upper } of ranges) {
      const [least, most] = [schema[lower.name], schema[upper]]
      const [type = 'object'] = lower.about ?? []
      if (types === JsonType[type] && typeof least === 'number' && typeof most === 'number' && least > most)
        return `"${lower.name}" ${least} and "${upper}" ${most}`
    }
    if (types !== JsonType.object) return undefined
    const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema
    const missing = required.find(
      (name) =>
        properties[name] === false ||
        (additionalProperties === false &&
          !Object.hasOwn(properties, name) &&
          Object.keys(patternProperties).length === 0),
    )
    return missing === undefined
      ? undefined
      : `"required": ${JSON.stringify(missing)} is a property that it forbids`
  }

  #allowsOneOf(schema: JsonSchema, values: readonly unknown[]): boolean {
    const local = Object.fromEntries(Object.entries(schema).filter(([keyword]) => isLocal(keyword)))
    // Most schemas are a type and values of that type; they need no compiled check.
    if (Object.keys(local).length === 2 && values.some((value) => typeof value === schema.type)) return true
    try {
      const check = interpretCheck(local)
      return values.some((value) => check(value))
    } catch (error) {
      // For example an invalid pattern, which the keyword rules report.
      if (isCallsheetError(error)) return true
      throw error
    }
  }
}
