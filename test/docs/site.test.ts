import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { apiEntries } from '../../docs/site/api.ts'
import { siteProblems } from '../../docs/site/check-site.ts'
import { filesOfDocs } from '../../docs/site/files-of-docs.ts'
import { groupsOf } from '../../docs/site/groups.ts'
import { pageOf, pageSources, withSiteLinks } from '../../docs/site/pages.ts'
import { root } from './doc-examples.ts'

const groups = groupsOf(readFileSync(`${root}docs/index.md`, 'utf8'))
const guides = filesOfDocs().filter((name) => name.endsWith('.md'))

describe('the sidebar of the site', () => {
  test('names every page once, by the groups of docs/index.md', () => {
    const named = groups.flatMap(({ pages }) => pages.map(({ source }) => source))
    const sources = pageSources(guides).filter((source) => source !== 'docs/index.md')
    expect(sources.length).toBeGreaterThan(40)
    expect([...named].sort()).toEqual(sources)
  })

  test('has a page for each entry that people import', () => {
    const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { exports: object }
    const entries = Object.keys(exports).map((name) => name.replace(/^\./, 'callsheet'))
    const forGeneratedCode = ['callsheet/wiring', 'callsheet/surface', 'callsheet/checks']
    const left = entries.filter((name) => ![...forGeneratedCode, 'callsheet/package.json'].includes(name))
    expect(Object.keys(apiEntries).sort()).toEqual(left.sort())
  })

  test('reads the links of list items, and not those of paragraphs', () => {
    const index =
      '# All\n\n## One\n\nSee [x](x.md).\n\n- [A](a.md): and [b c](in/b.md).\n  Also [d](../D.md#e).\n- [W](https://w.example/w.md)\n'
    expect(groupsOf(index)).toEqual([
      {
        title: 'One',
        pages: [
          { title: 'A', source: 'docs/a.md' },
          { title: 'B c', source: 'docs/in/b.md' },
        ],
      },
    ])
  })
})

describe('pages of the site', () => {
  test.each([
    ['docs/index.md', 'guides.md'],
    ['docs/interop/mcp.md', 'interop/mcp.md'],
    ['CHANGELOG.md', 'changelog.md'],
    ['README.md', undefined],
    ['bench/counts.json', undefined],
    ['constructor', undefined],
  ])('%s lies at %s', (source, page) => expect(pageOf(source)).toBe(page))

  test.each([
    ['docs/a.md', '[b](b.md#c)', '[b](b.md#c)'],
    ['docs/interop/a.md', '[all](../index.md#x)', '[all](../guides.md#x)'],
    ['docs/a.md', '[log](../CHANGELOG.md)', '[log](changelog.md)'],
    ['CONTRIBUTING.md', '[arch](docs/architecture.md)', '[arch](architecture.md)'],
    ['llms.txt', '[q](docs/quickstart.md)', '[q](quickstart.md)'],
    ['docs/a.md', '[`bench/counts.json`](../bench/counts.json)', '`bench/counts.json`'],
    ['docs/a.md', '[here](#there) [w](https://w.example/)', '[here](#there) [w](https://w.example/)'],
    ['docs/a.md', '![p](p.png)', '![p](p.png)'],
    ['docs/a.md', '```md\n[x](../x.json)\n```', '```md\n[x](../x.json)\n```'],
  ])('%s: %j becomes %j', (source, text, wanted) => expect(withSiteLinks(text, source)).toBe(wanted))
})

describe('the check of a built site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-site-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const site = (name: string, files: Record<string, string>): string => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true })
      writeFileSync(join(folder, name, path), text)
    }
    return join(folder, name)
  }

  test('finds nothing in a correct site', () => {
    const dist = site('well', {
      'index.html':
        '<a href="/s/in/b.html#two">b</a> <a href="https://w.example/">w</a> <a href="/s/">home</a>',
      'in/b.html':
        '<h2 id="two"></h2><a href="../">up</a><a href="#two">here</a><img src="/s/p.png"><a href="b">b</a>',
      'a.css': 'a { background: url(data:image/png;base64,AA) }',
    })
    expect(siteProblems(dist, '/s/')).toEqual([])
  })

  test('names each broken link, and each file from another machine', () => {
    const dist = site('ill', {
      'index.html':
        '<script src="https://cdn.example/x.js"></script><link rel="stylesheet" href="//fonts.example/f.css"><a href="/s/none.html">x</a><a href="#none">x</a><a href="/t/index.html">x</a>',
      'a.css': '@import "https://fonts.example/g.css"; a { background: url(https://p.example/p.png) }',
    })
    expect(siteProblems(dist, '/s/')).toEqual([
      'index.html loads https://cdn.example/x.js from another machine.',
      'index.html loads //fonts.example/f.css from another machine.',
      'index.html links to /s/none.html: there is no such page.',
      'index.html links to #none: there is no such heading.',
      'index.html links to /t/index.html: it leads outside /s/.',
      'a.css loads https://fonts.example/g.css from another machine.',
      'a.css loads https://p.example/p.png from another machine.',
    ])
  })
})
