import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Loss } from '../../runtime/lower/losses.ts'
import type { DialectOutput } from '../emit/dialects.ts'
import { grouped, textTable } from '../text-table.ts'

/** How much of each limit is used, a row for each limit of each dialect. Empty where no dialect has limits. */
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

/** What each dialect does not carry as declared, a row for each Tool and keyword. */
export function lossTable(dialects: readonly DialectOutput[]): string {
  const rows = dialects.flatMap(({ dialect, losses }) =>
    [...grouping(losses)].map(([key, count]) => {
      const [tool = '', keyword = '', action = '', enforcedBy = ''] = key.split('\0')
      return [
        dialect,
        tool,
        keyword,
        grouped(count),
        action,
        enforcedBy === 'validator' ? 'still checked' : '',
      ]
    }),
  )
  return rows.length === 0
    ? ''
    : textTable([['dialect', 'tool', 'keyword', 'times', 'becomes', 'and is'], ...rows])
}

function grouping(losses: readonly Loss[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tool = '(shared)', keyword, action, enforcedBy } of losses) {
    const key = [tool, keyword, action, enforcedBy].join('\0')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return new Map([...counts].sort(([left], [right]) => byCodeUnit(left, right)))
}

function share(value: number, max: number): string {
  return max === 0 ? '' : `${Math.round((value / max) * 100)}%`
}
