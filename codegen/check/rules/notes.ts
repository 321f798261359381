import type { Rule } from '../rule.ts'

/** What is worth knowing and breaks nothing. */
export const noteRules: readonly Rule[] = [
  {
    name: 'no-output',
    severity: 'note',
    sentence:
      'a Tool says in "_output" what its Activity returns; without, that is nothing, and it cannot run latently',
    fix: 'Declare _output: Type.Object({ … }), unless it really returns nothing.',
    *breaches({ model, tools }) {
      for (const { name, output } of model.tools) {
        const definition = tools.get(name)
        if (definition && output === undefined) yield { definition, pointer: '', got: 'no "_output"' }
      }
    },
  },
  {
    name: 'no-description',
    severity: 'note',
    sentence: 'a Tool has a description, by which a model chooses it',
    fix: "Add the option description: 'What it does, and when to use it.'",
    *breaches({ model, tools }) {
      for (const { name, schema } of model.tools) {
        const definition = tools.get(name)
        if (definition && !schema.description?.trim()) yield { definition, pointer: '', got: 'none' }
      }
    },
  },
]
