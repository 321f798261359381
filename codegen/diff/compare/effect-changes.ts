import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { own } from '../../../runtime/json/json.ts'
import type { FixedFields } from '../../../runtime/schema/fixed-fields.ts'
import { isMetaField } from '../../../runtime/schema/meta-fields.ts'
import type { Schema } from '../../../runtime/schema/schema.ts'
import { type ToolFacts, toolFacts } from '../../../runtime/schema/tool-facts.ts'
import { withoutWording } from '../../../runtime/schema/without-wording.ts'
import type { Change } from '../change.ts'
import type { ContractTool } from '../contract.ts'
import { brief } from './brief.ts'
import { type ChangeParts, makeChange } from './make-change.ts'

/** Compares what a Tool does, what runs it and what that may read (DIFF-1: effect). */
export function effectChanges(before: ContractTool, after: ContractTool): Change[] {
  const [was, is] = [toolFacts(before.name, before.schema), toolFacts(after.name, after.schema)]
  return [
    effectsChange(was, is, after),
    activityChange(before, after),
    fieldChange('_scopes', 'What the Activity sees of the context', [before, after], [was.scopes, is.scopes]),
    fieldChange('_delegate', 'Who carries the Call out', [before, after], [was.delegate, is.delegate]),
    parserChange(was, is, after),
    ...fixedChanges([was, is], [before, after]),
    ...referencesChanges([was, is], [before, after]),
  ].filter((change) => change !== undefined)
}

function effectsChange(was: ToolFacts, is: ToolFacts, tool: ContractTool): Change | undefined {
  if (was.effects === is.effects) return undefined
  return makeChange('effect', tool, {
    path: '',
    pointer: '',
    title: `Effects: ${was.effects ?? 'not declared'} → ${is.effects ?? 'not declared'}.`,
    facts: ['effects', was.effects ?? null, is.effects ?? null],
    meaning: effectMeaning(is.effects),
  })
}

function activityChange(before: ContractTool, after: ContractTool): Change | undefined {
  const [ran, runs] = [before.activity, after.activity]
  if (ran === undefined || runs === undefined || ran === runs) return undefined
  // A Tool was renamed, and with it the Activity of the same name.
  if (ran === before.name && runs === after.name) return undefined
  const named = (activity: string): string => (activity === '' ? 'latent' : `\`${activity}\``)
  return fieldOf('_activity', after, {
    title: `Activity: ${named(ran)} → ${named(runs)}.`,
    facts: ['activity', ran, runs],
    meaning: activityMeaning(ran, runs),
  })
}

function activityMeaning(ran: string, runs: string): string {
  if (runs === '') return 'The model now makes up the output itself.'
  if (ran === '') return 'The output now comes from code instead of the model.'
  return 'Another implementation runs.'
}

/** Describes a change of the values that a meta-field allows. @param fixed The Tool's fixed value, before and after. */
function fieldChange(
  field: '_scopes' | '_delegate',
  words: string,
  [before, after]: readonly [ContractTool, ContractTool],
  fixed: readonly [Fixed, Fixed],
): Change | undefined {
  const old = own(before.schema.properties ?? {}, field) as Schema | undefined
  const now = own(after.schema.properties ?? {}, field) as Schema | undefined
  const [oldText, nowText] = [old, now].map((schema) => canonicalJson(withoutWording(schema ?? true)))
  if (oldText === nowText) return undefined
  return fieldOf(field, after, {
    title: `\`${field}\`: ${shown(fixed[0], old)} → ${shown(fixed[1], now)}.`,
    facts: ['allowed', oldText, nowText],
    meaning: `${words} changed${widening(...fixed)}.`,
  })
}

/** Compares the fixed values of meta-fields, which apply to Calls that do not set the field (OUT-1). */
function fixedChanges(
  [was, is]: readonly [ToolFacts, ToolFacts],
  [before, after]: readonly [ContractTool, ContractTool],
): Change[] {
  const fields = Object.keys(ofCallsWithout) as (keyof FixedFields)[]
  return fields.flatMap((field) => {
    const [old, now] = [was.fixed?.[field], is.fixed?.[field]]
    if (old === now) return []
    const schemas = [before, after].map(
      ({ schema }) => own(schema.properties ?? {}, field) as Schema | undefined,
    )
    const title = `\`${field}\`: ${shown(old, schemas[0])} → ${shown(now, schemas[1])}.`
    const facts = ['fixed', old ?? null, now ?? null]
    return [fieldOf(field, after, { title, facts, meaning: `${ofCallsWithout[field]} changed.` })]
  })
}

const ofCallsWithout: Readonly<Record<keyof FixedFields, string>> = {
  _outputPath: 'The place of the output of Calls that do not set it',
  _outputMethod: 'How the output of Calls that do not set it is combined with the existing value',
  _instance: 'The instance whose data Calls that do not set it read and write',
}

function fieldOf(
  field: string,
  tool: ContractTool,
  what: Pick<ChangeParts, 'title' | 'facts' | 'meaning'>,
): Change {
  return makeChange('effect', tool, { path: `/${field}`, pointer: `/properties/${field}`, ...what })
}

function parserChange(was: ToolFacts, is: ToolFacts, tool: ContractTool): Change | undefined {
  const [read, reads] = [was.parser ?? 'json', is.parser ?? 'json']
  if (read === reads) return undefined
  return makeChange('effect', tool, {
    path: '',
    pointer: '',
    title: `Text arguments are read as ${reads}, before as ${read}.`,
    facts: ['parser', read, reads],
    meaning: 'A model that writes arguments as text has to use the other format.',
  })
}

/** Compares in which parameters strings are literal text and never References (REF-5). */
function referencesChanges(
  [was, is]: readonly [ToolFacts, ToolFacts],
  [before, after]: readonly [ContractTool, ContractTool],
): Change[] {
  const isText = ({ literal }: ToolFacts, name: string): boolean =>
    literal === true || literal?.includes(name) === true
  const changed = Object.keys(after.schema.properties ?? {}).filter(
    (name) =>
      !isMetaField(name) &&
      Object.hasOwn(before.schema.properties ?? {}, name) &&
      isText(was, name) !== isText(is, name),
  )
  const change = (asText: boolean, how: string, meaning: string): Change[] => {
    const names = changed.filter((name) => isText(is, name) === asText)
    if (names.length === 0) return []
    const title = `References are ${how} in ${names.map((name) => `\`${name}\``).join(', ')}.`
    const facts = ['references', !asText, names]
    return [makeChange('effect', after, { path: '', pointer: '', title, facts, meaning })]
  }
  return [
    ...change(
      false,
      'read',
      'A value that begins with † was plain text there and is now resolved from the context.',
    ),
    ...change(
      true,
      'no longer read',
      'A value that begins with † was resolved from the context there and is now plain text.',
    ),
  ]
}

/** The fixed value of a meta-field: a list for `_scopes`, a name for `_delegate`; undefined if it is not fixed. */
type Fixed = readonly string[] | string | undefined

function effectMeaning(effects: string | undefined): string {
  if (effects === 'write')
    return 'Calls are not retried, raced or started early, and policies for writing Tools apply.'
  if (effects === undefined) return 'Calls are not retried or started early, and may be raced.'
  return 'Calls may be retried, raced and started early.'
}

function shown(fixed: Fixed, schema: Schema | undefined): string {
  if (schema === undefined) return 'none'
  return fixed === undefined ? 'open' : brief(fixed, 60)
}

/** Describes the change of a list of scopes; empty for any other value. */
function widening(before: Fixed, after: Fixed): string {
  if (!Array.isArray(after)) return ''
  const added = after.filter((scope) => !before?.includes(scope))
  return added.length > 0
    ? `: it also receives ${added.map((scope) => `\`${scope}\``).join(', ')}`
    : ': it receives less'
}
