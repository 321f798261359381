import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { declaresMore } from '../../../runtime/schema/effects.ts'
import type { Change } from '../change.ts'
import type { ContractSet, ContractTool } from '../contract.ts'
import { effectChanges } from './effect-changes.ts'
import { makeChange } from './make-change.ts'
import { mergeRenames } from './renamed-parameters.ts'
import { pairTools } from './renames.ts'
import { typeChanges } from './type-changes.ts'
import { wireChanges } from './wire-changes.ts'
import { wordingChanges } from './wording-changes.ts'

/** A Tool that exists on both sides. */
export interface ComparedTool {
  readonly before: ContractTool
  readonly after: ContractTool
}

/** The differences between two states of one set of definitions. */
export interface SetComparison {
  readonly changes: readonly Change[]
  /** Tools that exist on both sides and differ. */
  readonly changed: readonly ComparedTool[]
  readonly removed: readonly ContractTool[]
  readonly added: readonly ContractTool[]
  /** Number of Tools that are equal on both sides. */
  readonly unchanged: number
}

/** Compares one set of definitions with its earlier state. */
export function compareSets(before: ContractSet, after: ContractSet): SetComparison {
  const { kept, removed, added } = pairTools(before.tools, after.tools)
  const changed = kept
    .filter(([old, now]) => !isSame(old, now))
    .map(([old, now]) => ({ before: old, after: now }))
  const changes = [
    ...removed.map(removedTool),
    ...added.map(addedTool),
    ...changed.flatMap(({ before: old, after: now }) => toolChanges(old, now)),
  ]
  return { changes, changed, removed, added, unchanged: kept.length - changed.length }
}

function isSame(before: ContractTool, after: ContractTool): boolean {
  if (before.name !== after.name) return false
  if (before.activity !== after.activity && before.activity !== undefined && after.activity !== undefined)
    return false
  // Deliberately not canonical JSON: the order of keys affects what a model sees.
  return JSON.stringify(before.schema) === JSON.stringify(after.schema)
}

function toolChanges(before: ContractTool, after: ContractTool): Change[] {
  const renamed = before.name === after.name ? [] : [renamedTool(before, after)]
  const switched = switchedTool(before, after)
  if (canonicalJson(before) === canonicalJson(after))
    return [...renamed, ...wordingChanges(before, after, true)]
  const wire = mergeRenames(before, after, wireChanges(before, after))
  return [
    ...renamed,
    ...switched,
    ...effectsKnown(before, after),
    ...wire,
    ...typeChanges(before, after),
    ...effectChanges(before, after),
    ...wordingChanges(before, after, wire.length + renamed.length > 0),
  ]
}

function addedTool(tool: ContractTool): Change {
  return makeChange('wire', tool, {
    path: '',
    pointer: '',
    title: 'Tool added.',
    facts: ['added'],
    meaning: 'Old workers do not know this Tool and refuse its Calls.',
    backward: tool.schema.enabled === false ? 'safe' : 'breaks',
  })
}

function removedTool(tool: ContractTool): Change {
  return makeChange(
    'wire',
    { name: tool.name },
    {
      path: '',
      pointer: '',
      title: 'Tool removed.',
      facts: ['removed'],
      meaning: 'New workers refuse every Call of this Tool, and code that names it does not compile.',
      forward: tool.schema.enabled === false ? 'safe' : 'breaks',
    },
  )
}

function renamedTool(before: ContractTool, after: ContractTool): Change {
  return makeChange('wire', after, {
    path: '',
    pointer: '',
    title: `Tool renamed from \`${before.name}\` to \`${after.name}\`.`,
    facts: ['renamed', before.name],
    meaning: `New workers refuse Calls of \`${before.name}\`, old workers those of \`${after.name}\`. The model sees another name.`,
    forward: 'breaks',
    backward: 'breaks',
  })
}

/** Compares `enabled`: a disabled Tool is neither offered nor run (TOOL-9). */
function switchedTool(before: ContractTool, after: ContractTool): Change[] {
  const [was, is] = [before.schema.enabled !== false, after.schema.enabled !== false]
  if (was === is) return []
  return [
    makeChange('wire', after, {
      path: '',
      pointer: '',
      title: is ? 'Tool switched on.' : 'Tool switched off.',
      facts: ['enabled', is],
      meaning: is ? 'Old workers refuse Calls of it.' : 'New workers refuse every Call of this Tool.',
      forward: is ? 'safe' : 'breaks',
      backward: is ? 'breaks' : 'safe',
    }),
  ]
}

/** Compares `effects`: a worker refuses Calls of agents that know of less than it declares, since they may have left out an approval. */
function effectsKnown(before: ContractTool, after: ContractTool): Change[] {
  const [was, is] = [before.schema.effects ?? 'write', after.schema.effects ?? 'write']
  const isMore = declaresMore({ effects: is }, was)
  if (!isMore && !declaresMore({ effects: was }, is)) return []
  const [workers, agents] = isMore ? ['New', 'old'] : ['Old', 'new']
  return [
    makeChange('wire', after, {
      path: '',
      pointer: '',
      title: `${isMore ? 'More effects than old agents know' : 'Fewer effects than old workers declare'}: ${was} → ${is}.`,
      facts: ['effects', was, is],
      meaning: `${workers} workers refuse the Calls that ${agents} agents send by \`remoteActivities\`, Restate or Temporal: an approval may have been left out.`,
      forward: isMore ? 'breaks' : 'safe',
      backward: isMore ? 'safe' : 'breaks',
    }),
  ]
}
