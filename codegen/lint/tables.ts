import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Loss } from '../../runtime/lower/losses.ts'
import { grouped } from '../../runtime/problems/grouped.ts'
import type { DialectWeight, Weight } from '../budget/weigh.ts'
import type { DialectOutput } from '../emit/dialects.ts'
import { textTable } from '../text-table.ts'

/** Prints the usage of each limit of each dialect. Empty if no dialect has limits. */
export function limitTable(dialects: readonly DialectOutput[]): string {
  const rows = dialects.flatMap(({ dialect, mode, usage }) =>
    usage.map(({ limit, value, max, status, severity, shares }) => [
      dialect,
      mode,
      limit,
      grouped(value),
      grouped(max),
      share(value, max),
      status === 'ok' ? 'ok' : `${status}${severity === 'observed' ? ' (observed)' : ''}`,
      shares[0] ? `${shares[0].tool} ${grouped(shares[0].value)}` : '',
    ]),
  )
  return rows.length === 0
    ? ''
    : textTable([['dialect', 'as', 'limit', 'used', 'of', '', 'status', 'largest share'], ...rows])
}

/** The most rows of the table of sizes; the JSON report has all Tools. */
const mostRows = 25

/** Prints the tokens of each Tool, the largest first; bytes if no tokenizer is installed (DIFF-6). */
export function weightTable(weights: readonly DialectWeight[]): string {
  const [first] = weights
  if (!first) return ''
  const unit = weights.every(({ tokens }) => tokens !== undefined) ? 'tokens' : 'bytes'
  const cell = (weight: Weight | undefined): string => grouped(weight?.[unit] ?? 0)
  const row = (name: string, of: (weight: DialectWeight) => Weight | undefined): string[] => [
    name,
    ...weights.map((weight) => cell(of(weight))),
  ]
  const byTool = weights.map(({ tools }) => new Map(tools.map((each) => [each.tool, each])))
  const shown = first.tools.slice(0, mostRows)
  const rest = first.tools.length - shown.length
  return textTable([
    [unit, ...weights.map(({ dialect }) => dialect)],
    ...shown.map(({ tool }) => [tool, ...byTool.map((tools) => cell(tools.get(tool)))]),
    ...(rest > 0 ? [[`and ${grouped(rest)} more`, ...weights.map(() => '')]] : []),
    row('shared by all', ({ shared }) => shared),
    row('in all', (weight) => weight),
  ])
}

/** Prints the losses of each dialect, a row for each keyword and action. */
export function lossTable(dialects: readonly DialectOutput[]): string {
  const rows = dialects.flatMap(({ dialect, losses }) =>
    Array.from(grouping(losses), ([key, tools]) => {
      const [keyword = '', action = '', enforcedBy = ''] = key.split('\0')
      const isChecked = enforcedBy === 'validator'
      return [
        dialect,
        keyword,
        grouped(tools.length),
        action,
        isChecked ? 'still checked' : '',
        inTools(tools),
      ]
    }),
  )
  return rows.length === 0
    ? ''
    : textTable([['dialect', 'keyword', 'times', 'becomes', 'and is', 'in'], ...rows])
}

/** The most Tools that a row names. */
const named = 3

function inTools(tools: readonly string[]): string {
  const names = [...new Set(tools)]
  const more = names.length - named
  return more > 0 ? `${names.slice(0, named).join(', ')} and ${grouped(more)} more` : names.join(', ')
}

/** Groups the Tools of losses by keyword and action. */
function grouping(losses: readonly Loss[]): Map<string, string[]> {
  const tools = new Map<string, string[]>()
  for (const { tool = '(shared)', keyword, action, enforcedBy } of losses) {
    const key = [keyword, action, enforcedBy].join('\0')
    tools.set(key, [...(tools.get(key) ?? []), tool])
  }
  return new Map([...tools].sort(([left], [right]) => byCodeUnit(left, right)))
}

function share(value: number, max: number): string {
  return max === 0 ? '' : `${Math.round((value / max) * 100)}%`
}
