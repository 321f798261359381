import { posix } from 'node:path'

/** A page of the site, by its path from the root of the repository. */
export interface PageLink {
  readonly title: string
  readonly source: string
}

/** A group of pages: a `##` heading of docs/index.md and the links below it. */
export interface PageGroup {
  readonly title: string
  readonly pages: readonly PageLink[]
}

/** Reads the groups of docs/index.md: each `##` heading with the links of its list. Leaves out links to other sites. */
export function groupsOf(index: string): PageGroup[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      const items = lines.filter((line) => /^(?:- | {2})/.test(line)).join('\n')
      const links = [...items.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.md)\)/g)]
      return {
        title,
        pages: links
          .filter(([, , target = '']) => !/^\w+:/.test(target))
          .map(([, name = '', target = '']) => ({
            title: name.charAt(0).toUpperCase() + name.slice(1),
            source: posix.join('docs', target),
          })),
      }
    })
}
