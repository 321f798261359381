// Small counts that are the same on every machine, compared with those in git, so that a change of one is a line in a
// diff: `npm run counts` compares and fails, `npm run counts -- --write` takes the new ones over. Needs dist/.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { makeTools } from './corpus.mjs'
import { generateProject, makeProject, removeProject, root } from './project.mjs'
import { callsheetSource } from './type-peers.mjs'
import { typeCosts } from './types/costs.mjs'
import { countInstantiations } from './types/count-instantiations.mjs'
import { makeProject as makeTypedProject } from './types/project.mjs'

const file = new URL('./counts.json', import.meta.url)
/**
 * The share by which sizes of bundles may be off: Deflate differs between the zlibs of Node's versions, and a changed line
 * of code costs a few bytes that nobody has to approve. `bench/sizes.mjs` has the limits.
 */
const sizeTolerance = 0.01

const measured = {
  'instantiations, TypeScript 5.9': { ...(await instantiations()), ...(await typeCosts()) },
  generated: { '10 tools': generated(10), '100 tools': generated(100) },
  'runtime entries': { wiring: entrySize('wiring'), index: entrySize('index') },
  tokens: await tokens(),
}
if (process.argv.includes('--write')) write()
else compare()

/** Of a consumer that implements and calls every tool, reading every field. */
async function instantiations() {
  const of = async (count) => {
    const project = await makeTypedProject(count)
    return countInstantiations(project, callsheetSource(project))
  }
  const [few, many] = [await of(10), await of(100)]
  return { '10 tools': few, '100 tools': many, 'per further tool': Math.round((many - few) / 9) / 10 }
}

/** What a run writes. */
function generated(count) {
  const folder = makeProject(makeTools(count))
  try {
    generateProject(folder)
    const output = join(folder, 'generated')
    const files = readdirSync(output, { recursive: true }).filter((path) =>
      statSync(join(output, path)).isFile(),
    )
    const bytes = (chosen) => chosen.reduce((sum, path) => sum + statSync(join(output, path)).size, 0)
    const modules = files.filter((path) => path.startsWith('tools'))
    const imports = modules.flatMap(
      (path) => readFileSync(join(output, path), 'utf8').match(/^import .*$/gm) ?? [],
    )
    return {
      files: files.length,
      'bytes per tool': Math.round(bytes(files) / count),
      'bytes per tool module': Math.round(bytes(modules) / count),
      'imports per tool module': Math.round((imports.length / count) * 10) / 10,
    }
  } finally {
    removeProject(folder)
  }
}

/** An entry and what it imports statically, which is what loading it costs; what it loads later is not followed. */
function entrySize(name) {
  const entry = join(root, 'dist', `${name}.js`)
  const options = { entryPoints: [entry], outdir: 'out', splitting: true, metafile: true, write: false }
  const { outputFiles, metafile } = buildSync({
    ...options,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    absWorkingDir: root,
    logLevel: 'error',
  })
  const paths = staticClosure(metafile.outputs, `out/${name}.js`)
  const contents = outputFiles
    .filter(({ path }) => paths.has(relative(root, path)))
    .map((output) => output.contents)
  const all = Buffer.concat(contents)
  return { modules: loadedModules(entry), minified: all.length, gzipped: gzipSync(all, { level: 9 }).length }
}

function staticClosure(outputs, entry) {
  const paths = new Set([entry])
  for (const path of paths) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') paths.add(imported)
    }
  }
  return paths
}

/** How many files Node reads for an entry: each costs it about half a millisecond. */
function loadedModules(entry) {
  const paths = new Set([entry])
  for (const path of paths) {
    const { metafile } = buildSync({
      entryPoints: [path],
      metafile: true,
      write: false,
      format: 'esm',
      logLevel: 'error',
    })
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
    for (const { path: imported, kind } of imports) {
      if (kind === 'import-statement' && imported.startsWith('.')) paths.add(resolve(dirname(path), imported))
    }
  }
  return paths.size
}

/** Of the composed schemas, in o200k_base; undefined where the tokenizer is not installed. */
async function tokens() {
  const { encode } = await import('gpt-tokenizer/encoding/o200k_base').catch(notInstalled)
  if (!encode) return undefined
  const folder = makeProject(makeTools(10), { dialects: ['json-schema', 'openai'] })
  try {
    generateProject(folder)
    const of = (dialect) => {
      const schema = JSON.parse(
        readFileSync(join(folder, 'generated', 'composed', `${dialect}.json`), 'utf8'),
      )
      return Math.round(encode(JSON.stringify(schema)).length / 10)
    }
    return { 'json-schema, per tool': of('json-schema'), 'openai, per tool': of('openai') }
  } finally {
    removeProject(folder)
  }
}

function notInstalled(error) {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return {}
  throw error
}

function write() {
  if (!measured.tokens) throw new Error('Install the tokenizer first: npm --prefix bench ci.')
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`)
}

function compare() {
  const known = flat(JSON.parse(readFileSync(file, 'utf8')))
  const found = flat(measured)
  if (!measured.tokens)
    console.error('Tokens are not compared: npm --prefix bench ci installs the tokenizer.')
  const names = [...new Set([...known.keys(), ...found.keys()])].filter(
    (name) => measured.tokens || !name.startsWith('tokens'),
  )
  const changed = names.filter((name) => !isSame(name, known.get(name), found.get(name)))
  for (const name of names) {
    console.log(
      `${changed.includes(name) ? 'CHANGED' : 'same   '}  ${name}: ${known.get(name)} -> ${found.get(name)}`,
    )
  }
  if (changed.length === 0) return
  console.error('If that is meant, take it over: npm run counts -- --write')
  process.exitCode = 1
}

function isSame(name, known, found) {
  if (known === undefined || found === undefined) return false
  return /(?:minified|gzipped)$/.test(name) ? Math.abs(found / known - 1) <= sizeTolerance : known === found
}

/** Figures by their way through the object. */
function flat(value, name = '') {
  if (typeof value === 'number') return new Map([[name, value]])
  return new Map(
    Object.entries(value ?? {}).flatMap(([key, member]) => [
      ...flat(member, name ? `${name} / ${key}` : key),
    ]),
  )
}
