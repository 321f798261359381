import { posix } from 'node:path'

/** The repository's pages outside docs/ that the site shows as well. */
const besideDocs: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
}

/** The place of a repository file on the site; undefined for files that are no pages. docs/index.md makes way for the landing page. */
export function pageOf(source: string): string | undefined {
  if (source === 'docs/index.md') return 'guides.md'
  if (source.startsWith('docs/') && source.endsWith('.md')) return source.slice('docs/'.length)
  return Object.hasOwn(besideDocs, source) ? besideDocs[source] : undefined
}

/** The repository's pages: those of docs/, by their paths in it, and those beside it. */
export function pageSources(guides: readonly string[]): string[] {
  return [...guides.map((guide) => `docs/${guide}`), ...Object.keys(besideDocs)].sort()
}

/**
 * Rewrites the links of a page for its place on the site. A link to a file that is no page, such as a benchmark, becomes
 * its text: the repository has no public address to send a reader to.
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

/** Changes what stands outside of fenced code. */
function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')
}
