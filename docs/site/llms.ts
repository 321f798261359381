import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiEntries, apiPage } from './api.ts'
import { groupsOf } from './groups.ts'
import { laidOut, root } from './lay-out.ts'
import { pageOf, withSiteLinks } from './pages.ts'

/** Writes the files for language models next to the HTML: each page as Markdown, llms.txt, and all guides in one file. */
export function writeForModels(dist: string): void {
  for (const page of readdirSync(laidOut, { recursive: true, encoding: 'utf8' })) {
    // The landing page is only useful as HTML; llms.txt is its counterpart.
    if (!page.endsWith('.md') || page === 'index.md') continue
    mkdirSync(dirname(join(dist, page)), { recursive: true })
    cpSync(join(laidOut, page), join(dist, page))
  }
  const read = (source: string): string => readFileSync(join(root, source), 'utf8')
  const reference = Object.entries(apiEntries).map(
    ([entry, summary]) => `- [${entry}](${apiPage(entry)}): ${summary}`,
  )
  const list = withSiteLinks(read('llms.txt'), 'llms.txt').trimEnd()
  writeFileSync(join(dist, 'llms.txt'), `${list}\n\n## API\n\n${reference.join('\n')}\n`)

  const sources = groupsOf(read('docs/index.md')).flatMap(({ pages }) => pages.map(({ source }) => source))
  const guides = [...new Set(sources)].map(
    (source) => `<!-- ${pageOf(source)} -->\n\n${withSiteLinks(read(source), source).trimEnd()}\n`,
  )
  writeFileSync(join(dist, 'llms-full.txt'), guides.join('\n'))
}
