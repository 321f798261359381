import type { Call } from '../../context/message.ts'
import { ActivityError } from '../../errors.ts'
import { copyPlain } from '../../json/copy-plain.ts'
import { isJsonObject } from '../../json/json.ts'
import { mapMembers } from '../../json/map-members.ts'
import { hasOtherSpelling } from '../../json/not-json.ts'
import { isSameJson } from '../../json/same-json.ts'
import { mayHoldReferences } from '../../schema/is-parameter.ts'
import { isMetaField } from '../../schema/meta-fields.ts'
import type { ToolSchema } from '../../schema/schema.ts'
import { toolFacts } from '../../schema/tool-facts.ts'
import { findTool } from '../accept/find-tool.ts'
import type { CallRun } from '../call-run.ts'
import type { RunOptions } from '../run-options.ts'

/**
 * Requires that a hook may put another Call in the place of this one: not of one that was approved, nor one that needs an approval
 * in the place of one that needs none (REQ-9).
 *
 * @throws ActivityError `refused`.
 */
export function requireReplaceable(run: CallRun, hook: string, call: Call, instead: Call): void {
  const { approved } = run.options
  if (!approved || isSameJson(instead, call)) return
  if (approved === true) {
    throw new ActivityError(
      'refused',
      `The hook \`${hook}\` changes the Call of "${call._tool}" after it was approved. Make it return an approved Call unchanged.`,
    )
  }
  const schema = schemaOf(run, instead)
  if (!schema || approved.includes(schema.effects ?? 'write')) return
  throw new ActivityError(
    'refused',
    `The hook \`${hook}\` replaces the Call of "${call._tool}" by one of "${instead._tool}", which needs an approval, and nobody was asked for it.`,
  )
}

/** Returns the schema of a Call's Tool; undefined if the Call cannot run, which accepting it reports. */
export function schemaOf(run: CallRun, call: Call): ToolSchema | undefined {
  try {
    return findTool(run, call).schema
  } catch {
    return undefined
  }
}

/**
 * Copies a Call that replaces a shown one. In that one every Reference was replaced by its value, so that a text of it which begins
 * with `†` is data, and stays text in the copy (REF-1).
 *
 * @param schema The Tool of the copied Call.
 */
export function keepShownTexts(
  replace: Call,
  shown: Call,
  schema: ToolSchema | undefined,
  references: RunOptions['references'],
): Call {
  if (!schema || references === false) return replace
  const texts = new Set<string>()
  for (const [name, value] of Object.entries(shown)) if (!isMetaField(name)) collectTexts(value, texts)
  if (texts.size === 0) return replace
  const facts = toolFacts(replace._tool, schema)
  const keep = (value: unknown): unknown => {
    if (typeof value === 'string') return texts.has(value) ? `†${value}` : value
    if (Array.isArray(value)) return value.map(keep)
    return isJsonObject(value) && !hasOtherSpelling(value) ? mapMembers(value, keep) : value
  }
  // Copied first, since a cyclic Call would be followed without end.
  const copy = copyPlain(replace)
  return mapMembers(copy, (value, name) => (mayHoldReferences(facts, name) ? keep(value) : value)) as Call
}

/** Collects the texts in a value that would be read as References. */
function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string' && value.startsWith('†')) texts.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) collectTexts(each, texts)
}
