import type { FieldRule } from '../../../runtime/problems/field-rule.ts'
import { briefly } from '../../../runtime/problems/problem.ts'
import { misspeltOption, toolOptions, wordHere } from '../../../runtime/schema/tool-options.ts'
import type { Rule } from '../rule.ts'

const fixes: Readonly<Record<keyof typeof toolOptions, string>> = {
  effects: 'Write one of them, or leave it out if the effects are not known.',
  enabled: 'Write one of them, or leave it out: a Tool is enabled by default.',
  parser: 'Write one of them, or leave it out for "json".',
  references: 'Write false to treat text with "†" as plain text, or leave it out.',
  examples: 'Put the examples into a list.',
}

/** Rules for the options of a Tool (TOOL-9). */
export const optionRules: readonly Rule[] = [
  speltRule(),
  foreignRule(),
  ...Object.entries(toolOptions).map(valueRule),
]

function speltRule(): Rule {
  return {
    name: 'bad-option',
    severity: 'error',
    sentence: 'the name of an option is spelt correctly',
    fix: 'Correct the name. An annotation of your own can begin with "x-".',
    *breaches({ model, tools }) {
      for (const { name, schema } of model.tools) {
        const definition = tools.get(name)
        for (const key of Object.keys(schema)) {
          const meant = misspeltOption(key)
          if (!definition || meant === undefined) continue
          yield { definition, pointer: `/${key}`, got: `${briefly(key)}, which is near "${meant}"` }
        }
      }
    },
  }
}

function foreignRule(): Rule {
  return {
    name: 'bad-option',
    severity: 'error',
    sentence: 'a Tool uses the option names of Callsheet',
    fix: 'Use the name of Callsheet. An annotation of your own can begin with "x-".',
    *breaches({ model, tools }) {
      for (const { name, schema } of model.tools) {
        const definition = tools.get(name)
        for (const [key, value] of Object.entries(schema)) {
          const here = wordHere(key, value)
          if (!definition || here === undefined) continue
          yield {
            definition,
            pointer: `/${key}`,
            got: `${briefly(key)}, an option of other libraries`,
            fix: here,
          }
        }
      }
    },
  }
}

function valueRule([option, [fits, wants]]: [string, FieldRule]): Rule {
  return {
    name: 'bad-option',
    severity: 'error',
    sentence: `the option "${option}" is ${wants}`,
    fix: fixes[option as keyof typeof toolOptions],
    *breaches({ model, tools }) {
      for (const { name, schema } of model.tools) {
        const definition = tools.get(name)
        const value = schema[option]
        if (definition && value !== undefined && !fits(value)) {
          yield { definition, pointer: `/${option}`, got: briefly(value) }
        }
      }
    },
  }
}
