import { isToolName, sentForm } from '../../../runtime/schema/tool-name.ts'
import type { LoadedDefinition } from '../../model.ts'
import { toolNameRule } from '../../names/tool-name-rule.ts'
import type { Rule } from '../rule.ts'

/** Rules for the names of Tools (TOOL-3). */
export const nameRules: readonly Rule[] = [
  {
    name: 'bad-name',
    severity: 'error',
    sentence: toolNameRule,
    fix: 'Rename the Tool, such as weatherCheck, resolve-library-id or PhraseEmphasis.bold.',
    *breaches({ definitions }) {
      for (const definition of definitions) {
        if (definition.kind !== 'tool' || isToolName(definition.name)) continue
        yield { definition, pointer: '/properties/_tool', got: JSON.stringify(definition.name) }
      }
    },
  },
  {
    name: 'duplicate-name',
    severity: 'error',
    sentence: 'a name belongs to one Tool of a definitions set',
    fix: 'Rename or delete one of them.',
    *breaches({ definitions }) {
      for (const sharers of groups(definitions, ({ name }) => name)) {
        for (const definition of sharers) yield { definition, pointer: '', got: places(definition, sharers) }
      }
    },
  },
  {
    name: 'name-collision',
    severity: 'error',
    sentence:
      'the form of a name that is sent to providers (a dot becomes "__", at most 64 characters) is unique, ignoring case',
    fix: 'Rename one of them, so that they differ by more than case, or by more than a dot for "__".',
    *breaches({ definitions }) {
      for (const sharers of groups(definitions, ({ name }) => sentForm(name))) {
        for (const definition of sharers) {
          const others = sharers.filter(({ name }) => name !== definition.name)
          if (others.length > 0) yield { definition, pointer: '', got: places(definition, others) }
        }
      }
    },
  },
]

/** Returns the groups of two or more Tools that share a key. */
function groups(
  definitions: readonly LoadedDefinition[],
  keyOf: (definition: LoadedDefinition) => string,
): LoadedDefinition[][] {
  const byKey = new Map<string, LoadedDefinition[]>()
  for (const definition of definitions) {
    if (definition.kind !== 'tool') continue
    const key = keyOf(definition)
    byKey.set(key, [...(byKey.get(key) ?? []), definition])
  }
  return [...byKey.values()].filter((sharers) => sharers.length > 1)
}

function places(definition: LoadedDefinition, sharers: readonly LoadedDefinition[]): string {
  const others = sharers.filter((other) => other !== definition)
  return others.map(({ name, at }) => `"${name}" also at ${at.file}:${at.line}:${at.column}`).join(', ')
}
