import { byCodeUnit } from '../../runtime/json/json.ts'
import { pointerSegment } from '../../runtime/json/json-pointer.ts'
import type { Finding, LoadedDefinition } from '../model.ts'
import { problemReporter } from './report-problem.ts'

/**
 * Splits a declared context into the schemas of its kinds, each a definition with its own source position. A project has
 * one context; a second one is reported, and the first is used.
 */
export function contextKinds(
  definitions: readonly LoadedDefinition[],
  findings: Finding[],
): LoadedDefinition[] {
  const [context, ...others] = definitions.filter(({ kind }) => kind === 'state')
  if (!context) return []
  const { file, line, column } = context.at
  for (const other of others) {
    problemReporter(
      other,
      findings,
    )({
      rule: 'duplicate-context',
      pointer: '',
      message: `the context is declared at ${file}:${line}:${column} as well.`,
      fix: 'Put all kinds into one defineContext({ state, input, … }).',
    })
  }
  return Object.entries(context.value)
    .filter(([, schema]) => schema !== undefined)
    .sort(([left], [right]) => byCodeUnit(left, right))
    .map(([name, value]) => kindOf(context, name, value))
}

function kindOf(context: LoadedDefinition, name: string, value: object): LoadedDefinition {
  const { locate } = context
  return {
    kind: 'state',
    name,
    value,
    get at() {
      return context.at
    },
    ...(locate && { locate: (pointer: string) => locate(`/${pointerSegment(name)}${pointer}`) }),
  }
}
