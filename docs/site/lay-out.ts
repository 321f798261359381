import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOfDocs } from './files-of-docs.ts'
import { pageOf, pageSources, withSiteLinks } from './pages.ts'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** The folder that the site is built from: a copy of the pages with rewritten links, so that docs/ stays readable Markdown. */
export const laidOut: string = join(root, 'docs/site/.pages')

/** Copies the repository's pages, with links for the site, and the pictures of docs/. */
export function layOutPages(): void {
  rmSync(laidOut, { recursive: true, force: true })
  const files = filesOfDocs()
  for (const source of pageSources(files.filter((file) => file.endsWith('.md')))) {
    const page = pageOf(source)
    if (page === undefined)
      throw new Error(`${source} has no place on the site. Add it in docs/site/pages.ts.`)
    writePage(page, withSiteLinks(readFileSync(join(root, source), 'utf8'), source))
  }
  for (const picture of files.filter((file) => /\.(?:png|svg|webp)$/.test(file))) {
    mkdirSync(dirname(join(laidOut, picture)), { recursive: true })
    cpSync(join(root, 'docs', picture), join(laidOut, picture))
  }
}

/** Writes one page into the folder that the site is built from. */
export function writePage(page: string, text: string): void {
  const path = join(laidOut, page)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
