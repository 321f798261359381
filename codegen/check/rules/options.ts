import { briefly } from '../../../runtime/problems/problem.ts'
import { allEffects } from '../../../runtime/schema/effects.ts'
import type { Rule } from '../rule.ts'

const options: readonly { option: string; wants: string; fix: string; fits: (value: unknown) => boolean }[] =
  [
    {
      option: 'effects',
      wants: '"read", "idempotent" or "write"',
      fix: 'Say what the Activity does to the world, or leave it out when that is not known.',
      fits: (value) => allEffects.includes(value as string),
    },
    {
      option: 'enabled',
      wants: 'true or false',
      fix: 'Write one of them, or leave it out: a Tool is on unless it says false.',
      fits: (value) => typeof value === 'boolean',
    },
    {
      option: 'parser',
      wants: '"json" or "tuple"',
      fix: 'Write one of them, or leave it out for "json".',
      fits: (value) => value === 'json' || value === 'tuple',
    },
    {
      option: 'examples',
      wants: 'a list',
      fix: 'Put the examples into a list.',
      fits: Array.isArray,
    },
  ]

/** What holds of the options of a Tool (TOOL-9). */
export const optionRules: readonly Rule[] = options.map(({ option, wants, fix, fits }) => ({
  name: 'bad-option',
  severity: 'error',
  sentence: `the option "${option}" is ${wants}`,
  fix,
  *breaches({ model, tools }) {
    for (const { name, schema } of model.tools) {
      const definition = tools.get(name)
      const value = schema[option]
      if (definition && value !== undefined && !fits(value)) {
        yield { definition, pointer: `/${option}`, got: briefly(value) }
      }
    }
  },
}))
