import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOfDocs } from './files-of-docs.ts'
import { pageOf, pageSources, withSiteLinks } from './pages.ts'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** Where the pages lie while the site is built: a copy, so that docs/ stays Markdown that reads well where it is. */
export const laidOut: string = join(root, 'docs/site/.pages')

/** Lays out the repository's pages, with their links, and the pictures of docs/. */
export function layOutPages(): void {
  rmSync(laidOut, { recursive: true, force: true })
  const files = filesOfDocs()
  for (const source of pageSources(files.filter((file) => file.endsWith('.md')))) {
    const page = pageOf(source)
    if (page === undefined)
      throw new Error(`${source} has no place on the site: name it in docs/site/pages.ts.`)
    writePage(page, withSiteLinks(readFileSync(join(root, source), 'utf8'), source))
  }
  for (const picture of files.filter((file) => /\.(?:png|svg|webp)$/.test(file))) {
    mkdirSync(dirname(join(laidOut, picture)), { recursive: true })
    cpSync(join(root, 'docs', picture), join(laidOut, picture))
  }
}

/** Writes one page to its place on the site. */
export function writePage(page: string, text: string): void {
  const path = join(laidOut, page)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
