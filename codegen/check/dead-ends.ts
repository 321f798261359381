import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { isCallsheetError } from '../../runtime/errors.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { pointerSegment } from '../../runtime/json/json-pointer.ts'
import { keywordOf, rangeKeywords } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { childPointer, forEachChildSchema } from '../../runtime/schema/schema-children.ts'
import { JsonType, possibleTypes, type TypesOfDefinition, typesOfDefinitions } from '../print/json-types.ts'

/** A place where no value is possible, though one is asked for. */
export interface DeadEnd {
  readonly pointer: string
  /** What clashes there, as the rest of "nothing satisfies …". */
  readonly clash: string
}

/**
 * Finds the parts of schemas, and of their definitions, that no value can satisfy, the innermost of each: a list that must be one of two strings,
 * a bound above its upper bound, a closed object that requires what it does not declare. Each that it finds is certain;
 * others exist.
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

/** Ranges of a value itself, not of what it contains. */
const ranges = rangeKeywords().filter(({ lower }) => lower.beside === undefined)

/** True for a keyword that decides about a value by itself. Formats are left out: to others they are annotations. */
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

  /** Dead ends inside of a schema, or else the schema itself. */
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

  /** What clashes in a schema by itself: its constants, or its types. */
  contradiction(schema: JsonSchema): string | undefined {
    const types = possibleTypes(schema, this.#typesOf)
    const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum
    // An empty `enum` is a mistake of another kind.
    if (values?.length === 0) return undefined
    if (values && !this.#allowsOneOf(schema, values)) {
      const keyword = Object.hasOwn(schema, 'const') ? 'const' : 'enum'
      const other = schema.type === undefined ? 'the rest of it' : `"type": ${JSON.stringify(schema.type)}`
      return `both "${keyword}" and ${other}: no value of "${keyword}" is allowed`
    }
    return types === 0 ? 'all of it: its parts name different types' : undefined
  }

  /** Bounds that cross, and properties that are required and forbidden. */
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
    // Nearly all are a type and values of it, for which no check has to be made.
    if (Object.keys(local).length === 2 && values.some((value) => typeof value === schema.type)) return true
    try {
      const check = interpretCheck(local)
      return values.some((value) => check(value))
    } catch (error) {
      // A pattern that cannot be read, for example: the rules about keywords report it.
      if (isCallsheetError(error)) return true
      throw error
    }
  }
}
