import { grouped } from '../../../runtime/problems/grouped.ts'
import { textTable } from '../../text-table.ts'
import { type Change, orders, type Verdict } from '../change.ts'
import { brief } from '../compare/brief.ts'
import { signed } from '../dialects/dialect-changes.ts'
import { counts, type DiffedSet, type DiffReport } from '../diff.ts'
import { contractNote } from './contract-note.ts'

/** The printed form of each verdict. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  safe: 'safe',
  breaks: 'breaks',
  unknown: 'not decided, so it counts as breaking',
}

/** Prints a comparison for a terminal, Tool by Tool. */
export function textReport(report: DiffReport): string {
  const sets = report.sets.map((set) => setText(set, report, report.sets.length > 1))
  const tail = [orderLines(report), vesselLines(report), staleLines(report)].filter((text) => text !== '')
  return [...sets, ...tail].join('\n')
}

function setText(
  { output, tools, unchanged, changes, dialects }: DiffedSet,
  report: DiffReport,
  isNamed: boolean,
): string {
  const name = isNamed ? `${output}: ` : ''
  if (changes.length === 0)
    return `${name}${count(tools, 'tool')}, nothing changed since ${report.against}.\n`
  const lines = [`${name}${count(tools, 'tool')}, ${unchanged} unchanged since ${report.against}.\n`]
  let last: string | undefined
  for (const change of changes) {
    const tool = change.tool ?? 'All Tools'
    if (tool !== last) lines.push(`\n${tool}\n`)
    last = tool
    lines.push(changeText(change, report))
  }
  const table = sizeTable(dialects)
  return lines.join('') + (table === '' ? '' : `\n${table}`)
}

function changeText(change: Change, report: DiffReport): string {
  const place = change.at ? `${change.at.file}:${change.at.line}:${change.at.column} ` : ''
  const mark =
    change.excused === undefined && counts(change, report.order) && report.failOn.includes(change.class)
      ? '✗'
      : '·'
  const lines = [`  ${mark} ${change.class}  ${change.title}`, `      ${change.meaning}`]
  for (const { of, value } of change.examples)
    lines.push(
      `      ${of === 'before' ? 'valid before, refused now' : 'valid now, refused before'}: ${brief(value, 200)}`,
    )
  if (change.excused !== undefined) lines.push(`      excused: ${change.excused}`)
  lines.push(`      ${place}${change.id}`)
  return `${lines.join('\n')}\n`
}

/** Prints the sizes before and after, for the dialects in which they differ. */
function sizeTable(dialects: DiffedSet['dialects']): string {
  const rows = sizeRows(dialects)
  return rows.length === 0 ? '' : textTable([['dialect', 'unit', 'before', 'now', ''], ...rows])
}

/** Returns the cells of the table of sizes. */
export function sizeRows(dialects: DiffedSet['dialects']): string[][] {
  return dialects.flatMap(({ dialect, before, after }) =>
    (['tokens', 'bytes'] as const).flatMap((unit) => {
      const [was, is] = [before?.[unit], after?.[unit]]
      return was === undefined || is === undefined
        ? []
        : [[dialect, unit, grouped(was), grouped(is), signed(is - was)]]
    }),
  )
}

/** Prints whether each order of deployment is safe, and what to do. */
function orderLines(report: DiffReport): string {
  const { verdicts, sets } = report
  if (sets.every(({ changes }) => changes.length === 0)) return ''
  const lines = orders.map((order) => `  ${order.padEnd(13)} ${verdictWords[verdicts[order]]}`)
  const note = contractNote(report)
  const notes = note ? [note.note, note.option].filter((text) => text !== '') : []
  return ['Order of deployment', ...lines, ...notes.map((text) => `  ${text}`)].join('\n').concat('\n')
}

function vesselLines({ vessels }: DiffReport): string {
  if (vessels.length === 0) return ''
  const lines = vessels.flatMap(({ file, refused, askAgain, offeredOtherwise }) => [
    `  ${file}`,
    ...refused.map(({ tool, reason }) => `    refused now: ${tool}: ${brief(reason, 300)}`),
    ...(askAgain.length > 0 ? [`    ask again: it chose ${askAgain.join(', ')}, whose text changed`] : []),
    ...(offeredOtherwise.length > 0 ? [`    offered with other text: ${offeredOtherwise.join(', ')}`] : []),
  ])
  return `Recorded Vessels\n${lines.join('\n')}\n`
}

function staleLines({ staleExceptions }: DiffReport): string {
  if (staleExceptions.length === 0) return ''
  const lines = staleExceptions.map(({ change, reason }) => `  ${change} (${reason})`)
  return `Exceptions that no longer match a change; delete them from the configuration\n${lines.join('\n')}\n`
}

function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`
}
