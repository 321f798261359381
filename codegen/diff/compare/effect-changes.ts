import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { own } from '../../../runtime/json/json.ts'
import type { Schema } from '../../../runtime/schema/schema.ts'
import { toolFacts } from '../../../runtime/schema/tool-facts.ts'
import { withoutWording } from '../../../runtime/schema/without-wording.ts'
import type { Change } from '../change.ts'
import type { ContractTool } from '../contract.ts'
import { brief } from './brief.ts'
import { makeChange } from './make-change.ts'

/** What a Tool does, who runs it and what it may see (DIFF-1: effect). */
export function effectChanges(before: ContractTool, after: ContractTool): Change[] {
  const [was, is] = [before, after].map(({ name, schema }) => toolFacts(name, schema)) as [
    ReturnType<typeof toolFacts>,
    ReturnType<typeof toolFacts>,
  ]
  const change = (field: string, title: string, meaning: string): Change =>
    makeChange('effect', after, { path: field, pointer: field.replace('/', '/properties/'), title, meaning })
  const changes: Change[] = []
  if (was.effects !== is.effects) {
    changes.push(
      makeChange('effect', after, {
        path: '',
        pointer: '',
        title: `Effects: ${was.effects ?? 'not said'} → ${is.effects ?? 'not said'}.`,
        meaning: effectMeaning(is.effects),
      }),
    )
  }
  const [ran, runs] = [before.activity, after.activity]
  if (
    ran !== undefined &&
    runs !== undefined &&
    ran !== runs &&
    !(ran === before.name && runs === after.name)
  ) {
    changes.push(
      change(
        '/_activity',
        `Activity: ${ran === '' ? 'latent' : `\`${ran}\``} → ${runs === '' ? 'latent' : `\`${runs}\``}.`,
        runs === ''
          ? 'The model now makes up the output itself.'
          : ran === ''
            ? 'The output now comes from code instead of the model.'
            : 'Another implementation runs.',
      ),
    )
  }
  for (const [field, words] of [
    ['_scopes', 'What the Activity sees of the context'],
    ['_delegate', 'Who carries the Call out'],
  ] as const) {
    const [old, now] = [before, after].map(({ schema }) => own(schema.properties ?? {}, field))
    const [oldText, nowText] = [old, now].map((schema) =>
      canonicalJson(withoutWording((schema as Schema | undefined) ?? true)),
    )
    if (oldText === nowText) continue
    const [before_, after_] = field === '_scopes' ? [was.scopes, is.scopes] : [was.delegate, is.delegate]
    changes.push(
      change(
        `/${field}`,
        `\`${field}\`: ${shown(before_, old)} → ${shown(after_, now)}.`,
        `${words} changed${widening(was.scopes, is.scopes, field)}.`,
      ),
    )
  }
  if (was.parser !== is.parser)
    changes.push(
      makeChange('effect', after, {
        path: '',
        pointer: '',
        title: `Text arguments are read as ${is.parser ?? 'json'}, before as ${was.parser ?? 'json'}.`,
        meaning: 'A model that writes arguments as text has to write them another way.',
      }),
    )
  return changes
}

function effectMeaning(effects: string | undefined): string {
  if (effects === 'write')
    return 'Calls are no longer retried, raced or started early, and policies for writing Tools apply.'
  if (effects === undefined) return 'Calls are no longer retried, and may be raced.'
  return 'Calls may now be retried, raced and started early.'
}

function shown(fixed: unknown, schema: unknown): string {
  if (schema === undefined) return 'none'
  return fixed === undefined ? 'open' : brief(fixed, 60)
}

function widening(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  field: string,
): string {
  if (field !== '_scopes' || !after) return ''
  const added = after.filter((scope) => !before?.includes(scope))
  return added.length > 0
    ? `: it is given ${added.map((scope) => `\`${scope}\``).join(', ')} as well`
    : ': it is given less'
}
