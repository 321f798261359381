import type { JsonObject } from '../../runtime/json/json.ts'
import { composedBranches } from '../../runtime/lower/composed-tools.ts'
import { grouped } from '../../runtime/problems/grouped.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { textTable } from '../text-table.ts'
import type { ExplainedDialect } from './explain.ts'
import { foldedJson } from './folded-json.ts'

/** Prints the size of a Tool in each dialect, and the number of its losses. */
export function sizeTable(dialects: readonly ExplainedDialect[]): string {
  const hasTokens = dialects.some(({ tokens }) => tokens !== undefined)
  const cells = ({ dialect, bytes, tokens, losses, standIns, unsupported }: ExplainedDialect): string[] => {
    if (unsupported !== undefined) return [dialect, '', ...(hasTokens ? [''] : []), '', '', 'cannot say it']
    const counted = hasTokens ? [tokens === undefined ? '' : grouped(tokens)] : []
    const checked = losses.filter(({ enforcedBy }) => enforcedBy === 'validator').length
    const note = checked > 0 ? `${checked} of them still checked before the Tool runs` : ''
    return [dialect, grouped(bytes), ...counted, String(losses.length), String(standIns.length), note]
  }
  const heads = ['dialect', 'bytes', ...(hasTokens ? ['tokens'] : []), 'losses', 'stand-ins', '']
  return textTable([heads, ...dialects.map(cells)])
}

/** Prints a Tool's schema and losses. Dialects with the same result share a part. */
export function dialectParts(
  dialects: readonly ExplainedDialect[],
): { readonly title: string; readonly text: string }[] {
  const parts = new Map<string, string[]>()
  for (const each of dialects) {
    const text = dialectText(each)
    parts.set(text, [...(parts.get(text) ?? []), each.dialect])
  }
  return Array.from(parts, ([text, names]) => ({ title: names.join(', '), text }))
}

function dialectText({ schema, losses, standIns, unsupported }: ExplainedDialect): string {
  if (unsupported !== undefined) return `${unsupported}\n`
  const lost = losses.map(({ pointer, keyword, value, action, enforcedBy }) => {
    const given = value === undefined ? '' : ` ${foldedJson(value)}`
    return `${placeIn(pointer)} ${keyword}${given}: ${action}${enforcedBy === 'validator' ? ', still checked' : ''}`
  })
  const stands = standIns.map(({ pointer, kind }) => `${placeIn(pointer)} goes as ${kind}`)
  return [
    ...section('Not sent as declared', lost),
    ...section('Converted, and converted back', stands),
    foldedJson(ownPart(schema)),
    '',
  ].join('\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)]
}

/** Returns the path within the Tool, without the wrapping schema. */
function placeIn(pointer: string): string {
  return pointer.replace(/^\/properties\/calls\/items\/anyOf\/0/, '') || '/'
}

/** Returns the Tool's branch with the definitions that it needs, without the wrapping list of Calls. */
function ownPart(schema: unknown): unknown {
  const { $defs } = schema as JsonObject
  const [branch = schema] = composedBranches(schema as JsonSchema)
  return typeof branch === 'object' && branch !== null && $defs !== undefined ? { ...branch, $defs } : branch
}
