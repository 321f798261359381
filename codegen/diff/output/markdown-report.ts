import { type Change, orders } from '../change.ts'
import { brief } from '../compare/brief.ts'
import { counts, type DiffedSet, type DiffReport } from '../diff.ts'
import { contractNote } from './contract-note.ts'
import { sizeRows, verdictWords } from './text-report.ts'

/** Prints a comparison as Markdown, for a comment on a pull request. */
export function markdownReport(report: DiffReport): string {
  const { sets, against, ok } = report
  if (sets.every(({ changes }) => changes.length === 0))
    return `### Contract: nothing changed\n\nCompared with \`${code(against)}\`.\n${stale(report)}`
  const parts = [
    `### Contract: ${ok ? 'in order' : 'needs review'}`,
    `Compared with \`${code(against)}\`, for deployment **${report.order}**.`,
    table(
      ['Order', 'Verdict'],
      orders.map((order) => [order, verdictWords[report.verdicts[order]]]),
    ),
    contractPart(report),
    ...sets.map((set) => setPart(set, report)),
    vesselPart(report),
    stale(report),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function contractPart(report: DiffReport): string {
  const note = contractNote(report)
  if (!note) return ''
  return note.option === '' ? note.note : `${note.note}\n\n\`\`\`ts\n${note.option}\n\`\`\``
}

function setPart({ output, changes, dialects }: DiffedSet, report: DiffReport): string {
  if (changes.length === 0) return ''
  const title = report.sets.length > 1 ? `#### ${text(output)}` : ''
  const rows = changes.map((change) => [
    change.tool === undefined ? 'all' : `\`${code(change.tool)}\``,
    `${needsLook(change, report) ? '**' : ''}${change.class}${needsLook(change, report) ? '**' : ''}`,
    text(change.title),
    text(meaningOf(change)),
  ])
  const sizes = sizeRows(dialects)
  const details = changes.map((change) => `- \`${code(change.id)}\``).join('\n')
  return [
    title,
    table(['Tool', 'Class', 'What changed', 'What it means'], rows),
    sizes.length === 0 ? '' : table(['Dialect', 'Unit', 'Before', 'Now', 'Change'], sizes),
    `<details><summary>Ids, for exceptions</summary>\n\n${details}\n\n</details>`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function needsLook(change: Change, { failOn, order }: DiffReport): boolean {
  return change.excused === undefined && failOn.includes(change.class) && counts(change, order)
}

function meaningOf({ meaning, examples, excused }: Change): string {
  const shown = examples.map(
    ({ of, value }) => `${of === 'before' ? 'Refused now' : 'Refused before'}: ${brief(value, 120)}.`,
  )
  return [meaning, ...shown, ...(excused === undefined ? [] : [`Excused: ${excused}`])].join(' ')
}

function vesselPart({ vessels }: DiffReport): string {
  if (vessels.length === 0) return ''
  const rows = vessels.map(({ file, refused, askAgain }) => [
    `\`${code(file)}\``,
    text(refused.map(({ tool, reason }) => `${tool}: ${reason}`).join('; ')),
    text(askAgain.join(', ')),
  ])
  return table(['Vessel', 'Refused now', 'Ask again'], rows)
}

function stale({ staleExceptions }: DiffReport): string {
  if (staleExceptions.length === 0) return ''
  const lines = staleExceptions.map(({ change, reason }) => `- \`${code(change)}\` (${text(reason)})`)
  return `Exceptions that no longer match a change:\n\n${lines.join('\n')}`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Escapes untrusted text, such as descriptions: nothing in it may become markup, a mention or a table cell. */
function text(value: string): string {
  return value
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\[\]*_~|#]/g, (mark) => `\\${mark}`)
    .replaceAll('@', '@\u200b')
}

function code(value: string): string {
  return value.replaceAll(/[\r\n|`]/g, ' ')
}
