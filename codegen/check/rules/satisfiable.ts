import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { keywordOf, rangeKeywords } from '../../../runtime/keywords/keywords.ts'
import { isImpossible } from '../../../runtime/lower/impossible.ts'
import { briefly } from '../../../runtime/problems/problem.ts'
import { DeadEndFinder } from '../dead-ends.ts'
import type { Rule } from '../rule.ts'
import type { Site } from '../sites.ts'

const ranges = rangeKeywords()

/** Rules that a schema must be satisfiable. */
export const satisfiableRules: readonly Rule[] = [
  {
    name: 'unsatisfiable',
    severity: 'error',
    sentence: 'each schema allows at least one value',
    fix: 'Look for an intersection of types that clash, or a Type.Script with a syntax error: both become Type.Never(). To forbid a property, leave it out of a closed object ({ additionalProperties: false }).',
    *breaches({ sites, model }) {
      const finder = new DeadEndFinder(model.definitions)
      for (const site of sites) {
        if (site.within && keywordOf(site.within.keyword)?.mayAllowNothing) continue
        if (isImpossible(site.schema)) {
          yield { ...placeOf(site), got: 'a schema that allows nothing ({ "not": {} })' }
          continue
        }
        const clash = finder.contradiction(site.schema)
        if (clash !== undefined)
          yield { ...placeOf(site), got: clash, fix: 'Remove one of the clashing parts.' }
      }
    },
  },
  {
    name: 'crossed-bounds',
    severity: 'error',
    sentence: 'a lower bound is not above the upper bound beside it',
    fix: 'Swap or correct them.',
    *breaches({ sites }) {
      for (const site of sites) {
        for (const { lower, upper } of ranges) {
          const [least, most] = [site.schema[lower.name], site.schema[upper]]
          if (typeof least !== 'number' || typeof most !== 'number' || least <= most) continue
          yield { ...placeOf(site), got: `${lower.name} ${least} and ${upper} ${most}` }
        }
      }
    },
  },
  {
    name: 'undeclared-required',
    severity: 'error',
    sentence: 'a closed object declares every property that it requires',
    fix: 'Declare the property, or remove it from "required".',
    *breaches({ sites }) {
      for (const site of sites) {
        for (const name of undeclaredRequired(site))
          yield { ...placeOf(site), got: `"${name}", which nothing allows` }
      }
    },
  },
  {
    name: 'repeated-enum-value',
    severity: 'warning',
    sentence: 'an enum lists each value once',
    fix: 'Delete the repetition.',
    *breaches({ sites }) {
      for (const site of sites) {
        const values = Array.isArray(site.schema.enum) ? site.schema.enum : []
        const repeated = firstRepeated(values)
        if (repeated !== undefined) yield { ...placeOf(site), got: `${repeated} twice` }
      }
    },
  },
]

/** Copies only these two members: a spread of the site would add members that a Breach does not have. */
function placeOf({ definition, pointer }: Site) {
  return { definition, pointer }
}

function undeclaredRequired({ schema }: Site): string[] {
  const { additionalProperties, required = [], properties = {}, patternProperties = {} } = schema
  if (additionalProperties !== false || Object.keys(patternProperties).length > 0) return []
  return required.filter((name) => !Object.hasOwn(properties, name))
}

/** Returns an excerpt of the first duplicate. One pass, since an enum can have any length. */
function firstRepeated(values: readonly unknown[]): string | undefined {
  const seen = new Set<string>()
  for (const value of values) {
    const text = canonicalJson(value)
    if (seen.has(text)) return briefly(value)
    seen.add(text)
  }
  return undefined
}
