import { pointerSegment } from '../../../runtime/json/json-pointer.ts'
import type { SpokenType } from '../../../runtime/keywords/keyword-table.ts'
import { holdsOnlySchemas, isWithoutKeyword, keywordOf } from '../../../runtime/keywords/keywords.ts'
import { briefly } from '../../../runtime/problems/problem.ts'
import type { JsonSchema } from '../../../runtime/schema/schema.ts'
import { foreignKeyword, misspeltKeyword } from '../misspelt-keyword.ts'
import type { Rule, Subject } from '../rule.ts'
import { contextSitesOf, type Site } from '../sites.ts'

/** Rules for the keywords in a schema. JSON Schema ignores unknown ones, and so does every compiler. */
export const keywordRules: readonly Rule[] = [
  {
    name: 'misspelt-keyword',
    severity: 'warning',
    sentence: 'the keywords of a schema are spelt correctly; JSON Schema ignores unknown ones',
    fix: 'Correct the name. An annotation of your own can begin with "x-".',
    *breaches(subject) {
      for (const { definition, schema, pointer } of parts(subject)) {
        if (isWithoutKeyword(schema)) continue
        for (const key of Object.keys(schema)) {
          const why = meantKeyword(key, schema)
          if (why === undefined) continue
          const place = `${pointer}/${pointerSegment(key)}`
          yield { definition, pointer: place, got: `${briefly(key)}, ${why}` }
        }
      }
    },
  },
  {
    name: 'idle-keyword',
    severity: 'warning',
    sentence: 'a keyword limits values of the type beside it; JSON Schema ignores it for others',
    fix: 'Use the keyword of that type, such as minItems for an array, or move it to the schema of that type, such as the items.',
    *breaches(subject) {
      for (const { definition, schema, pointer } of parts(subject)) {
        const { type } = schema
        if (type === undefined) continue
        const types = spokenTypes(schema)
        for (const key of Object.keys(schema)) {
          const { kind, about, place } = keywordOf(key) ?? {}
          // Those that hold schemas are often left behind, with nothing in them.
          if (kind !== 'assertion' || !about || place || types.some((each) => about.includes(each))) continue
          const got = `${briefly(key)}, which is for values of type ${about.join(' or ')}, beside type ${briefly(type)}`
          yield { definition, pointer: `${pointer}/${pointerSegment(key)}`, got }
        }
      }
    },
  },
  {
    name: 'no-keyword',
    severity: 'warning',
    sentence: 'a schema has at least one keyword of JSON Schema; without one it allows any value',
    fix: 'Put Type.Object({ … }) around the properties of an object. For any value, write Type.Unknown().',
    *breaches(subject) {
      for (const { definition, schema, pointer } of parts(subject)) {
        // With schemas in it, it is an error.
        const isWarning = isWithoutKeyword(schema) && !holdsOnlySchemas(schema)
        if (isWarning) yield { definition, pointer, got: briefly(schema) }
      }
    },
  },
]

/** Says which keyword a word in a schema was probably meant to be, if one that it does not have. */
function meantKeyword(word: string, schema: JsonSchema): string | undefined {
  const foreign = foreignKeyword(word, spokenTypes(schema))
  if (foreign !== undefined) {
    return Object.hasOwn(schema, foreign) ? undefined : `which is "${foreign}" in JSON Schema`
  }
  const near = misspeltKeyword(word)
  return near && `which is near "${near}"`
}

/** The declared types of a schema for which there are keywords. */
function spokenTypes({ type }: JsonSchema): SpokenType[] {
  const names: unknown[] = Array.isArray(type) ? type : [type]
  return names.flatMap((name) => {
    if (name === 'integer') return ['number']
    return name === 'string' || name === 'number' || name === 'array' || name === 'object' ? [name] : []
  })
}

/** Returns all schemas, also of a declared context, except the roots of Tools, which also contain options. */
function parts({ sites, model, definitions }: Subject): Site[] {
  const schemas = sites.filter(
    ({ within, pointer, definition }) => within !== undefined || pointer !== '' || definition.kind !== 'tool',
  )
  return [...schemas, ...contextSitesOf(model, definitions)]
}
