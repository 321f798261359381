import { ended } from '../../runtime/problems/problem.ts'
import type { Finding, LoadedDefinition, Model } from '../model.ts'
import type { Breach, Rule, Subject } from './rule.ts'
import { exampleRules } from './rules/examples.ts'
import { keywordRules } from './rules/keywords.ts'
import { metaFieldRules } from './rules/meta-fields.ts'
import { nameRules } from './rules/names.ts'
import { noteRules } from './rules/notes.ts'
import { optionRules } from './rules/options.ts'
import { satisfiableRules } from './rules/satisfiable.ts'
import { supportedRules } from './rules/supported.ts'
import { sitesOf } from './sites.ts'

/** All rules for definitions. */
export const rules: readonly Rule[] = [
  ...nameRules,
  ...metaFieldRules,
  ...optionRules,
  ...exampleRules,
  ...satisfiableRules,
  ...supportedRules,
  ...keywordRules,
  ...noteRules,
]

/**
 * Checks the model against every rule and reports each violation.
 *
 * @param definitions The definitions that the model was built from.
 */
export function checkModel(model: Model, definitions: readonly LoadedDefinition[]): Finding[] {
  const tools = new Map<string, LoadedDefinition>()
  for (const definition of definitions) {
    if (definition.kind === 'tool' && !tools.has(definition.name)) tools.set(definition.name, definition)
  }
  const subject: Subject = { model, definitions, tools, sites: sitesOf(model, tools, definitions) }
  return rules.flatMap((rule) => [...rule.breaches(subject)].map((breach) => finding(rule, breach)))
}

function finding(
  rule: Rule,
  { definition, pointer, got, isSentence = false, fix = rule.fix }: Breach,
): Finding {
  const { kind, name, at, locate } = definition
  const where = pointer === '' ? '' : ` at ${pointer}`
  const problem = `${rule.sentence}${isSentence ? ': ' : '; got '}${ended(got)}`
  return {
    rule: rule.name,
    severity: rule.severity,
    message: `${kind === 'tool' ? 'Tool' : 'Schema'} "${name}"${where}: ${problem}`,
    fix,
    at: locate ? locate(pointer) : at,
    ...(kind === 'tool' && { tool: name }),
    pointer,
  }
}
