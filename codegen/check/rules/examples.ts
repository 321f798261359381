import { withDefinitions } from '../../emit/tool-schema.ts'
import { exampleCheck } from '../example-problems.ts'
import type { Rule } from '../rule.ts'

/** Rules for a Tool's examples (REQ-16). */
export const exampleRules: readonly Rule[] = [
  {
    name: 'bad-example',
    severity: 'error',
    sentence: 'each example is a Call of the Tool',
    fix: 'Correct the example, or delete it: models copy what examples show.',
    *breaches({ model, tools }) {
      for (const { name, schema } of model.tools) {
        const definition = tools.get(name)
        if (!definition || !Array.isArray(schema.examples) || schema.examples.length === 0) continue
        const problemsOf = exampleCheck(name, withDefinitions(schema, model.definitions))
        for (const [index, example] of schema.examples.entries()) {
          for (const { path, message } of problemsOf?.(example) ?? []) {
            yield { definition, pointer: `/examples/${index}${path}`, got: message, isSentence: true }
          }
        }
      }
    },
  },
]
