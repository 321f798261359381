import { metaFieldRules as sharedRules } from '../../../runtime/tools/meta-field-rules.ts'
import type { Rule } from '../rule.ts'

/** Rules for underscore properties (TOOL-2). */
export const metaFieldRules: readonly Rule[] = sharedRules.map((rule) => ({
  ...rule,
  severity: 'error',
  *breaches({ model, tools }) {
    for (const { name, schema } of model.tools) {
      const definition = tools.get(name)
      if (!definition) continue
      for (const breach of rule.breaches(schema)) yield { ...breach, definition }
    }
  },
}))
