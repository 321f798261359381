import { briefly } from '../../../runtime/problems/problem.ts'
import { toolOptions } from '../../../runtime/schema/tool-options.ts'
import type { Rule } from '../rule.ts'

const fixes: Readonly<Record<keyof typeof toolOptions, string>> = {
  effects: 'Say what the Activity does to the world, or leave it out when that is not known.',
  enabled: 'Write one of them, or leave it out: a Tool is on unless it says false.',
  parser: 'Write one of them, or leave it out for "json".',
  examples: 'Put the examples into a list.',
}

/** What holds of the options of a Tool (TOOL-9). */
export const optionRules: readonly Rule[] = Object.entries(toolOptions).map(([option, [fits, wants]]) => ({
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
}))
