import type { FieldRule } from '../../../runtime/problems/field-rule.ts'
import { briefly } from '../../../runtime/problems/problem.ts'
import { misspeltOption, toolOptions, wordHere } from '../../../runtime/schema/tool-options.ts'
import type { Rule } from '../rule.ts'

const fixes: Readonly<Record<keyof typeof toolOptions, string>> = {
  effects: 'Say what the Activity does to the world, or leave it out when that is not known.',
  enabled: 'Write one of them, or leave it out: a Tool is on unless it says false.',
  parser: 'Write one of them, or leave it out for "json".',
  references: 'Write false where text is text, or leave it out where a Reference is one.',
  examples: 'Put the examples into a list.',
}

/** What holds of the options of a Tool (TOOL-9). */
export const optionRules: readonly Rule[] = [
  speltRule(),
  foreignRule(),
  ...Object.entries(toolOptions).map(valueRule),
]

function speltRule(): Rule {
  return {
    name: 'bad-option',
    severity: 'error',
    sentence: 'the options of a Tool are spelt as they are read',
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
    sentence: 'what a Tool says, it says in the words that are read here',
    fix: 'Write it so. An annotation of your own can begin with "x-".',
    *breaches({ model, tools }) {
      for (const { name, schema } of model.tools) {
        const definition = tools.get(name)
        for (const [key, value] of Object.entries(schema)) {
          const here = wordHere(key, value)
          if (!definition || here === undefined) continue
          yield { definition, pointer: `/${key}`, got: `${briefly(key)}, a word of other kits`, fix: here }
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
