import { posix } from 'node:path'

/** The repository's pages outside docs/ that the site shows as well. */
const besideDocs: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
}

/** Returns the path of a repository file on the site; undefined for files that are not pages. The landing page takes the place of docs/index.md. */
export function pageOf(source: string): string | undefined {
  if (source === 'docs/index.md') return 'guides.md'
  if (source.startsWith('docs/') && source.endsWith('.md')) return source.slice('docs/'.length)
  return Object.hasOwn(besideDocs, source) ? besideDocs[source] : undefined
}

/**
 * Lists the repository's pages.
 *
 * @param guides Paths of the pages in docs/.
 */
export function pageSources(guides: readonly string[]): string[] {
  return [...guides.map((guide) => `docs/${guide}`), ...Object.keys(besideDocs)].sort()
}

/**
 * Rewrites the links of a page for its place on the site. A link to a file that is not a page, such as a benchmark, becomes
 * plain text, because the repository has no public address to link to.
 */
export function withSiteLinks(text: string, source: string): string {
  const page = pageOf(source) ?? source
  return outsideCode(text, (prose) =>
    prose.replaceAll(
      /(?<!!)\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)/g,
      (whole, words: string, target: string, anchor = '') => {
        if (target === '' || /^\w+:/.test(target)) return whole
        const linked = pageOf(posix.join(posix.dirname(source), target))
        if (linked === undefined) return words
        return `[${words}](${posix.relative(posix.dirname(page), linked)}${anchor})`
      },
    ),
  )
}

/** Applies a change to everything outside fenced code. */
function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')
}
