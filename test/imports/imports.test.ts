import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cyclesIn, type ImportGraph, importGraph } from './import-graph.ts'

const graph = importGraph(['runtime', 'codegen', 'definitions', 'generated', 'examples/sample'])

/** Which top-level folders a folder may import: the line of docs/architecture.md. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  runtime: ['runtime'],
  codegen: ['codegen', 'runtime'],
  definitions: ['definitions'],
  generated: ['generated'],
  examples: ['examples', 'generated'],
}

/** Packages that the runtime borrows; the build bundles them, so that nothing is installed with it. */
const bundled = ['ajv-formats/dist/formats.js', 'stemmer']

/** Loaded lazily, and only where a user asks for what they do. */
const optional = [
  'openai',
  '@anthropic-ai/sdk',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/server/stdio',
  '@restatedev/restate-sdk',
  '@opentelemetry/api',
  'gpt-tokenizer/encoding/o200k_base',
]

describe('imports go one way', () => {
  test.each(Object.keys(allowed))('%s imports only what it may', (folder) => {
    const wrong = edges(folder).filter(([, target]) => {
      const top = target.split('/')[0] ?? ''
      return graph.files.has(target) && !allowed[folder]?.includes(top)
    })
    expect(wrong).toEqual([])
  })

  test('there are no cycles, type imports included', () => {
    expect(graph.files.size).toBeGreaterThan(100)
    expect(cyclesIn(graph)).toEqual([])
  })

  test('folders stack as well: no two of one top-level folder lean on each other', () => {
    for (const top of ['runtime', 'codegen']) expect(cyclesIn(folderGraph(top))).toEqual([])
  })

  test('docs/architecture.md lists the folders of runtime/ from leaf to top', () => {
    const text = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
    const rows = [...text.matchAll(/^\| `(?<folder>[a-z-]+)\/`.*\|$/gm)].map(({ groups }) => groups?.folder)
    const listed = rows.slice(0, rows.indexOf('testing') + 1).map((name) => `runtime/${name}`)
    const { files } = folderGraph('runtime')
    expect([...listed].sort()).toEqual([...files.keys()].filter((name) => !name.endsWith('.ts')).sort())
    const upward = listed.flatMap((folder, at) =>
      (files.get(folder) ?? [])
        .filter((target) => listed.indexOf(target) > at)
        .map((target) => [folder, target]),
    )
    expect(upward).toEqual([])
  })

  test('every relative import names a file', () => {
    const dangling = [...graph.files].flatMap(([file, targets]) =>
      targets
        .filter((target) => /\.tsx?$/.test(target) && !graph.files.has(target))
        .map((target) => [file, target]),
    )
    expect(dangling).toEqual([])
  })
})

describe('the runtime has no dependency', () => {
  test('runtime/ imports no package but what the build bundles or a user opts into', () => {
    // Files of Ideas and the server of the testing kit need the platform; both are entries of their own. The server's files for
    // sockets of Node's take its types alone, and ask the process for the rest.
    const mayUseNode =
      /^runtime\/(?:(?:agent|testing)\/|server\/(?:node-request|send-answer|serve-http)\.ts$)/
    const packages = edges('runtime').filter(
      ([file, target]) => !graph.files.has(target) && !(target.startsWith('node:') && mayUseNode.test(file)),
    )
    const wrong = packages.filter(
      ([file, name]) => ![...bundled, ...optional].includes(name) && !onNode(file, name),
    )
    expect(wrong).toEqual([])
  })

  test('generated code imports callsheet and nothing else (GEN-8)', () => {
    const packages = edges('generated')
      .map(([, target]) => target)
      .filter((target) => !graph.files.has(target))
    const allowed = ['callsheet/checks', 'callsheet/surface', 'callsheet/wiring']
    expect(packages.length).toBeGreaterThan(0)
    expect(packages.filter((name) => !allowed.includes(name))).toEqual([])
  })
})

/** What the folders right below a top-level one import of each other; a file right below it stands for itself. */
function folderGraph(top: string): ImportGraph {
  const place = (file: string): string => file.split('/').slice(0, 2).join('/')
  const files = new Map<string, string[]>()
  for (const [file, target] of edges(top)) {
    const [from, to] = [place(file), place(target)]
    const targets = files.get(from) ?? []
    files.set(from, from === to || !target.startsWith(`${top}/`) ? targets : [...new Set([...targets, to])])
  }
  return { files }
}

/** What only makes sense where there are files and servers may use Node's own modules; the core may not. */
function onNode(file: string, name: string): boolean {
  return name.startsWith('node:') && /^runtime\/(agent|testing)\//.test(file)
}

function edges(folder: string): [file: string, target: string][] {
  return [...graph.files]
    .filter(([file]) => file.startsWith(`${folder}/`))
    .flatMap(([file, targets]) => targets.map((target): [string, string] => [file, target]))
}
