import { CallsheetError } from '../errors.ts'
import { type FieldRule, isFunction, isString } from '../problems/field-rule.ts'
import { nearest } from '../problems/nearest.ts'
import { suggest } from '../problems/suggest.ts'
import { yesOrNo } from '../problems/wrong-answer.ts'
import type { ComposableTool } from './composable.ts'

/** Tools by name, by toolkit (`PhraseEmphasis.*`), or by a question. */
export type ToolSelection = readonly string[] | ((tool: ComposableTool) => boolean)

/** The rule of a selection. */
export const selection: FieldRule = [
  (value) => isFunction(value) || (Array.isArray(value) && value.every(isString)),
  'names of Tools, or a function of a Tool',
]

/** Which of the Tools take part (REQ-15). */
export interface SubsetOptions {
  /** These Tools and no others. */
  readonly only?: ToolSelection | undefined
  /** All Tools but these. */
  readonly without?: ToolSelection | undefined
}

/**
 * Selects Tools by `only` and `without`; of a Tool that both name, `without` is right.
 *
 * @throws CallsheetError `invalid_options` for a name that no Tool has, so that a misspelt one offers nothing by accident.
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

/** What a registry knows of its Tools, on or off. */
export interface KnownTools {
  get?(name: string): unknown
  readonly names?: readonly string[]
}

/** Whether a name, or a toolkit's with `.*`, is one of a Tool that is registered. */
export function isRegisteredIn(known: KnownTools, pattern: string): boolean {
  if (known.get?.(pattern) !== undefined) return true
  return known.names?.some((name) => matchesName(pattern, name)) ?? false
}

/**
 * The selection of Tools that come and go (TOOL-9): a name that the registry has is no mistake while its Tool is off.
 *
 * @param on The Tools that are on.
 * @throws CallsheetError `invalid_options` for any other name that no Tool has.
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

/** Whether the selection of an option takes a Tool. Names that no Tool has select nothing. */
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
