import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headingAnchor } from '../../docs/site/anchor.ts'
import { filesOfDocs } from '../../docs/site/files-of-docs.ts'
import { root } from './doc-examples.ts'

const guides = filesOfDocs()
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .sort()
const pages = ['CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'llms.txt', ...guides]

/** Lists the links to files of the repository, `[text](path#heading)`, outside of code. */
function linksOf(page: string): string[] {
  const prose = readFileSync(root + page, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^\w+:/.test(target))
}

function anchorsOf(page: string): string[] {
  const headings = readFileSync(root + page, 'utf8').matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, text = '']) => headingAnchor(text))
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(root + target)) return true
  return anchor !== undefined && !anchorsOf(target).includes(anchor)
}

describe('the documentation', () => {
  test.each(pages)('%s has no broken links', (page) => {
    expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([])
  })

  test.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s only names files that exist', (page) => {
    const spans = readFileSync(root + page, 'utf8').matchAll(/`((?:bench|codegen|runtime|test)\/[\w./-]*)`/g)
    const paths = [...spans].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(5)
    expect(paths.filter((path) => !existsSync(root + path))).toEqual([])
  })

  test.each(['docs/index.md', 'llms.txt'])('every guide is named in %s', (page) => {
    const named = linksOf(page).map((link) => join(dirname(page), link.split('#')[0] ?? ''))
    const missing = guides.filter((guide) => guide !== 'docs/index.md' && !named.includes(guide))
    expect(missing.map((guide) => relative('docs', guide))).toEqual([])
  })
})
