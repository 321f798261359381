import { readFileSync } from 'node:fs'
import { headingAnchor } from '../anchor.ts'
import { apiEntries, apiPage } from '../api.ts'
import { groupsOf } from '../groups.ts'
import { pageOf } from '../pages.ts'
import { underlineMarked } from '../underline.ts'

const index = readFileSync(new URL('../../index.md', import.meta.url), 'utf8')

const link = (page: string): string => `/${page.replace(/\.md$/, '')}`

const sidebar = [
  ...groupsOf(index).map(({ title, pages }) => ({
    text: title,
    items: pages.map(({ title, source }) => ({ text: title, link: link(pageOf(source) ?? source) })),
  })),
  {
    text: 'API',
    items: Object.keys(apiEntries).map((entry) => ({ text: entry, link: link(apiPage(entry)) })),
  },
]

// A sheet with lines. Inlined, so that it works at any base path.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6b5d"/><path d="M9 10h14M9 16h14M9 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`

export default {
  srcDir: '.pages',
  outDir: 'dist',
  // For a site below the root of its host: DOCS_BASE=/callsheet/ npm run docs
  base: process.env.DOCS_BASE ?? '/',
  lang: 'en',
  title: 'Callsheet',
  description:
    'Declare the tools of language models once; generate their types and checks; run the Calls that come back.',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  metaChunk: true,
  // The search index of all pages is one large file, loaded with the first search.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    theme: { light: 'github-light', dark: 'github-dark' },
    codeTransformers: [underlineMarked],
    anchor: { slugify: headingAnchor },
  },
  themeConfig: {
    nav: [
      { text: 'Quickstart', link: '/quickstart' },
      { text: 'Recipes', link: '/guides#recipes' },
      { text: 'Guides', link: '/guides' },
      { text: 'API', link: '/api/' },
    ],
    sidebar,
    outline: [2, 3],
    // Guides rank above API pages: readers look for how-tos first.
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: { boostDocument: (id: string) => (id.includes('/api/') ? 0.3 : 1) },
        },
      },
    },
    externalLinkIcon: true,
  },
}
