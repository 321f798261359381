// The size of each entry of dist/, minified, and gzipped: what loading it costs at once, and what it loads when it needs it.
// Rewrites the table of docs/sizes.md; with --check compares instead, and fails when a figure is off by more than 5 %, or
// an entry is larger than it may be.
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const page = 'docs/sizes.md'
const tolerance = 0.05
/** Bytes, gzipped, that importing an entry may cost at once. */
const limits = {
  'callsheet/wiring': 25_950,
  // With all that a registry made by hand needs to read schemas as `generate` does and to run Calls, and with the checks of
  // arguments for callers without types. Lowering, with its dialects and native tools, is a fifth of it.
  callsheet: 97_400,
  'callsheet without lower': 77_200,
}
const table = /(?<=<!-- sizes -->\n)[\s\S]*(?=\n<!-- \/sizes -->)/
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))

const measured = []
for (const [name, { default: script }] of Object.entries(exports)) {
  if (script) measured.push({ entry: name.replace(/^\./, 'callsheet'), ...(await sizesOf(script)) })
}
measured.splice(1, 0, { entry: 'callsheet without lower', ...(await sizesOf(await withoutLower())) })
measured.push(
  { entry: 'generated code', ...(await sizesOf(together('wiring', 'surface'))) },
  {
    entry: 'generated code, after its first Call',
    ...(await sizesOf(together('wiring', 'surface', 'checks'))),
  },
)
if (process.argv.includes('--check')) check()
else writeTable()

/** What a bundler makes of a module that uses everything of `callsheet` but what lowers schemas: `lower` and `lowerTools`. */
async function withoutLower() {
  const names = Object.keys(await import('../dist/index.js')).filter((name) => !name.startsWith('lower'))
  return { contents: `export { ${names.join(', ')} } from './dist/index.js'`, resolveDir: '.' }
}

/** A module that uses everything of several entries. */
function together(...entries) {
  const lines = entries.map((entry) => `export * as ${entry} from './dist/${entry}.js'`)
  return { contents: lines.join('\n'), resolveDir: '.' }
}

/** Bytes of an entry: of what it imports statically, and of everything that it can load. */
async function sizesOf(entry) {
  const { outputFiles, metafile } = await build({
    ...(typeof entry === 'string' ? { entryPoints: [entry] } : { stdin: entry }),
    outdir: 'out',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    metafile: true,
    // Imports between chunks for their side effects alone are left out, which is what it would tell.
    logLevel: 'error',
  })
  const texts = new Map(
    outputFiles.map(({ path, contents }) => [path.replace(/^.*\/out\//, 'out/'), contents]),
  )
  const name = typeof entry === 'string' ? entry.slice(2) : '<stdin>'
  const start = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === name)
  const atOnce = staticClosure(metafile.outputs, start)
  const bySize = (left, right) => texts.get(right).length - texts.get(left).length
  const bytes = (paths) => paths.reduce((sum, path) => sum + texts.get(path).length, 0)
  const gzipped = (paths) =>
    gzipSync(Buffer.concat(paths.map((path) => texts.get(path))), { level: 9 }).length
  return {
    minified: bytes(atOnce),
    gzipped: gzipped(atOnce),
    everything: gzipped([...new Set([...atOnce, ...[...texts.keys()].sort(bySize)])]),
  }
}

/**
 * An output after what it imports, as they run. By their names, which are hashes, they would stand in another order after
 * each change, and gzip finds more or less in another order.
 */
function staticClosure(outputs, start, seen = new Set()) {
  if (seen.has(start)) return []
  seen.add(start)
  const imported = outputs[start].imports.flatMap(({ path, kind, external }) =>
    kind === 'import-statement' && !external ? staticClosure(outputs, path, seen) : [],
  )
  return [...imported, start]
}

/** Kilobytes of 1000 bytes, to one decimal place. */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} KB`
}

function tableOf(rows) {
  const head =
    '| Entry | Minified | Gzipped | Gzipped, with all that it loads on demand |\n| --- | ---: | ---: | ---: |'
  const lines = rows.map(
    ({ entry, ...sizes }) => `| \`${entry}\` | ${Object.values(sizes).map(kilobytes).join(' | ')} |`,
  )
  return [head, ...lines].join('\n')
}

function writeTable() {
  const before = readFileSync(page, 'utf8')
  const after = before.replace(table, tableOf(measured))
  if (after !== before) writeFileSync(page, after)
  console.log(tableOf(measured))
}

function check() {
  for (const { entry, gzipped } of measured) {
    const most = limits[entry]
    if (most === undefined || gzipped <= most) continue
    console.error(`${entry} is ${kilobytes(gzipped)} gzipped, and may be ${kilobytes(most)}.`)
    process.exitCode = 1
  }
  const stated = table.exec(readFileSync(page, 'utf8'))?.[0].split('\n').slice(2) ?? []
  const wrong = measured.filter((row) => !agrees(row, stated))
  if (wrong.length === 0 && stated.length === measured.length) return
  console.error(
    `${page} does not say what is:\n${tableOf(wrong)}\nTo rewrite it: npm run build && npm run sizes`,
  )
  process.exitCode = 1
}

/** 100 bytes are let through: they are the last decimal place. */
function agrees({ entry, ...sizes }, stated) {
  const line = stated.find((each) => each.startsWith(`| \`${entry}\` |`))
  const figures = [...(line ?? '').matchAll(/([\d.]+) KB/g)].map(([, figure]) => Number(figure) * 1000)
  return Object.values(sizes).every((size, index) => {
    return Math.abs(size - (figures[index] ?? 0)) <= Math.max(100, size * tolerance)
  })
}
