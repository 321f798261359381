import { CallsheetError } from '../errors.ts'
import { type FieldRule, isFunction, isString } from '../problems/field-rule.ts'
import { nearest } from '../problems/nearest.ts'
import { suggest } from '../problems/suggest.ts'
import { yesOrNo } from '../problems/wrong-answer.ts'
import type { ComposableTool } from './composable.ts'

/** Selects Tools by name, by toolkit (`PhraseEmphasis.*`), or by a predicate. */
export type ToolSelection = readonly string[] | ((tool: ComposableTool) => boolean)

/** Accepts a {@link ToolSelection}. */
export const selection: FieldRule = [
  (value) => isFunction(value) || (Array.isArray(value) && value.every(isString)),
  'names of Tools, or a function of a Tool',
]

/** Options that select a subset of the Tools (REQ-15). */
export interface SubsetOptions {
  /** Only these Tools. */
  readonly only?: ToolSelection | undefined
  /** All Tools except these. */
  readonly without?: ToolSelection | undefined
}

/**
 * Selects Tools by `only` and `without`; `without` takes precedence.
 *
 * @throws CallsheetError `invalid_options` for an unknown name, so that a misspelt one cannot change the selection unnoticed.
 */
export function selectTools(
  tools: readonly ComposableTool[],
  { only, without }: SubsetOptions,
): readonly ComposableTool[] {
  if (only === undefined && without === undefined) return tools
  const isWanted = only === undefined ? () => true : selector('only', only, tools)
  const isLeftOut = without === undefined ? () => false : selector('without', without, tools)
  return tools.filter((tool) => isWanted(tool) && !isLeftOut(tool))
}

/** The names of a registry's Tools, enabled or not. */
export interface KnownTools {
  get?(name: string): unknown
  readonly names?: readonly string[]
}

/** True if a Tool of the name, or of the toolkit for a pattern with `.*`, is registered. */
export function isRegisteredIn(known: KnownTools, pattern: string): boolean {
  if (known.get?.(pattern) !== undefined) return true
  return known.names?.some((name) => matchesName(pattern, name)) ?? false
}

/**
 * Prepares a selection for Tools that may be enabled and disabled during a run (TOOL-9): the name of a registered Tool is accepted
 * while the Tool is disabled.
 *
 * @param on The enabled Tools.
 * @throws CallsheetError `invalid_options` for any other unknown name.
 */
export function standingSelection(
  { only, without }: SubsetOptions,
  known: KnownTools,
  on: () => readonly ComposableTool[],
): SubsetOptions {
  const standing = (option: 'only' | 'without', selection: ToolSelection): ToolSelection => {
    if (!Array.isArray(selection)) return selection
    const others = selection.filter((name) => !isRegisteredIn(known, name))
    if (others.length > 0) selectTools(on(), { [option]: others })
    return (tool) => isSelected(option, selection, tool)
  }
  return {
    ...(only !== undefined && { only: standing('only', only) }),
    ...(without !== undefined && { without: standing('without', without) }),
  }
}

function selector(
  option: string,
  selection: ToolSelection,
  tools: readonly ComposableTool[],
): (tool: ComposableTool) => boolean {
  if (typeof selection !== 'function') {
    if (!Array.isArray(selection)) {
      throw new CallsheetError(
        'invalid_options',
        `\`${option}\` takes names of Tools, or a function of a Tool.`,
      )
    }
    for (const pattern of selection) requireKnown(option, pattern, tools)
  }
  return (tool) => isSelected(option, selection, tool)
}

/** True if the selection includes a Tool. Unknown names select nothing. */
export function isSelected(option: string, selection: ToolSelection, tool: ComposableTool): boolean {
  if (typeof selection === 'function') return yesOrNo(`\`${option}\``, selection(tool))
  return selection.some((pattern) => matchesName(pattern, tool.name))
}

function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

function requireKnown(option: string, pattern: string, tools: readonly ComposableTool[]): void {
  if (tools.some(({ name }) => matchesName(pattern, name))) return
  const names = tools.map(({ name }) => name)
  throw new CallsheetError(
    'invalid_options',
    `\`${option}\` names "${pattern}", and no Tool that is on is called so.${suggest(nearest(pattern, names))} Names are whole, or a toolkit's with ".*".`,
  )
}
