// What a suite hands over: tables, and what is to be said about them. Everything is text by then.

/**
 * @typedef {{ caption: string, head: string[], rows: string[][] }} Table
 * @typedef {{ says: string, limit: string, measured: string, met: boolean }} Target
 * @typedef {{ tables: Table[], text?: string, notes?: string[], absent?: string[], targets?: Target[] }} Section
 */

/** A section as Markdown. */
export function markdownOf({ tables, text, notes = [], absent = [], targets = [] }) {
  const parts = tables.map(({ caption, head, rows }) => `**${caption}**\n\n${tableOf(head, rows)}`)
  if (text !== undefined) parts.push(`\`\`\`text\n${text}\n\`\`\``)
  if (targets.length > 0) {
    const rows = targets.map(({ says, limit, measured, met }) => [
      says,
      limit,
      measured,
      met ? 'met' : '**missed**',
    ])
    parts.push(`**Targets**\n\n${tableOf(['Target', 'Limit', 'Measured', ''], rows)}`)
  }
  if (notes.length > 0) parts.push(notes.map((note) => `- ${note}`).join('\n'))
  if (absent.length > 0) parts.push(`Not measured here: ${absent.join('; ')}.`)
  return parts.join('\n\n')
}

/** A section with the tables and targets of a second run, each of which says where it was measured. */
export function withOlder(section, older, where) {
  const tables = older.tables.map((table) => ({ ...table, caption: `${where}: ${table.caption}` }))
  const targets = (older.targets ?? []).map((target) => ({ ...target, says: `${target.says}, ${where}` }))
  return {
    ...section,
    tables: [...section.tables, ...tables],
    targets: [...(section.targets ?? []), ...targets],
  }
}

function tableOf(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  // The first column is a name, the others are figures.
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** A target that is met when the figure is at most the limit. */
export function atMost(says, limit, measured, show = (value) => value.toFixed(2)) {
  return { says, limit: `≤ ${show(limit)}`, measured: show(measured), met: measured <= limit }
}

/** `median [low–high]`, with so many digits after the point. */
export function spreadText({ median, low, high }, digits = 0) {
  return `${median.toFixed(digits)} [${low.toFixed(digits)}–${high.toFixed(digits)}]`
}

/** An integer with its thousands apart. */
export function grouped(value) {
  return Math.round(value).toLocaleString('en-US')
}
