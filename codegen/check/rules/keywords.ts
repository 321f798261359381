import { pointerSegment } from '../../../runtime/json/json-pointer.ts'
import { isWithoutKeyword } from '../../../runtime/keywords/keywords.ts'
import { briefly } from '../../../runtime/problems/problem.ts'
import { misspeltKeyword } from '../misspelt-keyword.ts'
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
          const meant = misspeltKeyword(key)
          if (meant === undefined) continue
          const place = `${pointer}/${pointerSegment(key)}`
          yield { definition, pointer: place, got: `${briefly(key)}, which is near "${meant}"` }
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
        if (isWithoutKeyword(schema)) yield { definition, pointer, got: briefly(schema) }
      }
    },
  },
]

/** Returns all schemas, also of a declared context, except the roots of Tools, which also contain options. */
function parts({ sites, model, definitions }: Subject): Site[] {
  const schemas = sites.filter(({ within, definition }) => within !== undefined || definition.kind !== 'tool')
  return [...schemas, ...contextSitesOf(model, definitions)]
}
