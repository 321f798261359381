// docs/performance.md: each suite has a section between two marks, and the targets of all of them stand together on top.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../docs/performance.md', import.meta.url))

export function writeSection(name, section) {
  const { before, after } = around(name)
  writeFileSync(page, `${before}\n${section}${after}`)
}

/**
 * Gathers the targets of every suite, those that this run has not measured as their own last run left them.
 *
 * @returns The table, as it was written.
 */
export function writeTargets(suites) {
  const rows = Object.entries(suites).flatMap(([name, { title }]) =>
    targetRows(around(name).section).map((row) => `| ${title} ${row}`),
  )
  const missed = rows.filter((row) => row.includes('**missed**')).length
  const verdict = `${rows.length - missed} of ${rows.length} targets met.`
  const table = ['| Suite | Target | Limit | Measured |  |', '| --- | --- | ---: | ---: | ---: |', ...rows]
  const section = `${verdict}\n\n${table.join('\n')}\n`
  writeSection('targets', section)
  return section
}

/** The rows under `**Targets**`, without the head of their table. */
function targetRows(section) {
  const [, table = ''] = section.split('**Targets**\n\n')
  return table.split('\n\n')[0].split('\n').slice(2).filter(Boolean)
}

function around(name) {
  const [start, end] = [`<!-- suite: ${name} -->`, `<!-- /suite: ${name} -->`]
  const [before, rest] = readFileSync(page, 'utf8').split(start)
  const [section, after] = rest?.split(end) ?? []
  if (after === undefined) throw new Error(`docs/performance.md has no place for ${name}: ${start} … ${end}`)
  return { before: before + start, section, after: end + after }
}
