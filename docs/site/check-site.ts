import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Lists the problems of a built site: links to missing pages and headings, and anything that a browser would load from
 * another machine.
 *
 * @param base Path of the site on its host; starts and ends with `/`.
 */
export function siteProblems(dist: string, base: string): string[] {
  const files = new Set(readdirSync(dist, { recursive: true, encoding: 'utf8' }))
  const read = (file: string): string => readFileSync(join(dist, file), 'utf8')
  const html = [...files].filter((file) => file.endsWith('.html'))
  const anchors = new Map(html.map((file) => [file, anchorsOf(read(file))]))
  const problems: string[] = []
  for (const file of html) {
    const text = read(file)
    for (const address of loadedBy(text)) {
      if (/^(?:\w+:)?\/\//.test(address)) problems.push(`${file} loads ${address} from another machine.`)
    }
    for (const href of linksOf(text)) {
      const problem = brokenLink(file, href)
      if (problem !== undefined) problems.push(`${file} links to ${href}: ${problem}`)
    }
  }
  for (const style of [...files].filter((file) => file.endsWith('.css'))) {
    for (const [, address = ''] of read(style).matchAll(
      /(?:url\(|@import\s*)["']?((?:https?:)?\/\/[^"')\s]+)/g,
    ))
      problems.push(`${style} loads ${address} from another machine.`)
  }
  return problems

  function brokenLink(file: string, href: string): string | undefined {
    const [path = '', anchor = ''] = href.split('#')
    const target = path === '' ? file : fileAt(path, file)
    if (target === undefined) return `it leads outside ${base}.`
    if (!files.has(target)) return 'there is no such page.'
    if (anchor !== '' && !anchors.get(target)?.has(decodeURIComponent(anchor)))
      return 'there is no such heading.'
    return undefined
  }

  function fileAt(path: string, from: string): string | undefined {
    const { pathname } = new URL(path, `http://site${base}${from}`)
    if (!pathname.startsWith(base)) return undefined
    const file = decodeURIComponent(pathname.slice(base.length))
    if (file === '' || file.endsWith('/')) return `${file}index.html`
    return files.has(file) || posix.extname(file) !== '' ? file : `${file}.html`
  }
}

/** Every address that a page loads by itself: scripts, styles, pictures, frames. */
function loadedBy(html: string): string[] {
  const sources = [...html.matchAll(/<(?:script|img|iframe|source|video|audio)\b[^>]*?\ssrc="([^"]*)"/g)]
  const links = [...html.matchAll(/<link\b[^>]*?\shref="([^"]*)"/g)]
  return [...sources, ...links].map(([, address = '']) => address)
}

/** The targets of a page's links within the site. */
function linksOf(html: string): Set<string> {
  const hrefs = [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
  return new Set(hrefs.filter((href) => !/^\w+:/.test(href)))
}

function anchorsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id.replaceAll('&amp;', '&')))
}
