import { unknownFormats, wordFindings } from '../../../runtime/check-tree/supported.ts'
import { pointerSegment } from '../../../runtime/json/json-pointer.ts'
import { briefly } from '../../../runtime/problems/problem.ts'
import type { JsonSchema } from '../../../runtime/schema/schema.ts'
import { unsupportedDefinition } from '../../validators/supported.ts'
import { inexactMultiple } from '../inexact-multiple.ts'
import type { Rule } from '../rule.ts'
import { contextSitesOf, ownersOf } from '../sites.ts'
import { slowGroup } from '../slow-pattern.ts'

/** Rules for schemas that compiled checks must evaluate as JSON Schema defines (GEN-11). */
export const supportedRules: readonly Rule[] = [
  {
    name: 'unsupported-schema',
    severity: 'error',
    sentence: 'generated checks can implement each schema as JSON Schema 2020-12 defines it',
    fix: 'Use keywords that are supported.',
    *breaches(subject) {
      const { model, definitions } = subject
      for (const { definition, pointer, schema } of roots(subject)) {
        for (const { pointer: inside, reason, fix } of unsupportedDefinition(schema, model.definitions)) {
          yield { definition, pointer: pointer + inside, got: reason, isSentence: true, fix }
        }
      }
      // Nothing checks a context, but what is read as any value is not what was meant.
      for (const { definition, pointer, schema } of contextSitesOf(model, definitions)) {
        for (const { reason, fix } of wordFindings(schema, pointer)) {
          yield { definition, pointer, got: reason, isSentence: true, fix }
        }
      }
    },
  },
  {
    name: 'unknown-format',
    severity: 'warning',
    sentence: 'a format is one that JSON Schema defines; others are not checked',
    fix: 'Correct its spelling, or use a pattern.',
    *breaches(subject) {
      for (const { definition, pointer, schema } of roots(subject)) {
        for (const { pointer: inside, format } of unknownFormats(schema)) {
          yield { definition, pointer: pointer + inside, got: `"${format}"` }
        }
      }
    },
  },
  {
    name: 'inexact-multiple',
    severity: 'warning',
    sentence: 'a multiple of a fraction stays one when computers divide, which they do in binary numbers',
    fix: 'Declare an integer of the smallest unit (cents, not 0.01), or leave "multipleOf" out.',
    *breaches({ sites }) {
      for (const { definition, pointer, schema } of sites) {
        const { multipleOf } = schema
        const refused = typeof multipleOf === 'number' ? inexactMultiple(multipleOf) : undefined
        if (refused === undefined) continue
        yield { definition, pointer: `${pointer}/multipleOf`, got: `${multipleOf}, which refuses ${refused}` }
      }
    },
  },
  {
    name: 'slow-pattern',
    severity: 'warning',
    sentence: 'no pattern makes a regular expression hang on a hostile string',
    fix: 'Keep one of the two repetitions, or put something mandatory between them.',
    *breaches(subject) {
      // Cache: many Tools share the same few patterns, and trying a pattern takes longer than all other checks.
      const known = new Map<string, string | undefined>()
      for (const site of subject.sites) {
        for (const [source, inside] of patternsOf(site.schema)) {
          const group = known.has(source) ? known.get(source) : slowGroup(source)
          known.set(source, group)
          if (group === undefined) continue
          yield { definition: site.definition, pointer: site.pointer + inside, got: briefly(group) }
        }
      }
    },
  },
]

/** Yields the patterns of a schema itself, each with its JSON pointer. */
function* patternsOf({ pattern, patternProperties }: JsonSchema): Iterable<readonly [string, string]> {
  if (typeof pattern === 'string') yield [pattern, '/pattern']
  for (const key of Object.keys(patternProperties ?? {})) {
    yield [key, `/patternProperties/${pointerSegment(key)}`]
  }
}

function* roots({ model, tools, definitions }: Parameters<Rule['breaches']>[0]) {
  for (const { name, schema } of model.tools) {
    const definition = tools.get(name)
    if (definition) yield { definition, pointer: '', schema }
  }
  const owners = ownersOf(model, tools, definitions)
  for (const [name, schema] of Object.entries(model.definitions)) {
    const owner = owners.get(name)
    if (owner) yield { ...owner, schema }
  }
}
