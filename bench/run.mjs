// Runs suites and writes what they found into docs/performance.md, each into its own section:
//
//   npm run bench                         every suite
//   npm run bench -- generate call        some of them
//   npm run bench -- --quick              fewer rounds: minutes, and wider spreads
//   npm run bench -- --print              printed and not written
//
// Needs dist/ (npm run build) and the peers (npm --prefix bench ci). Each suite runs in a process of its own, on Node 24
// where peers need it; what has targets for Node 20 too runs once more on the Node at hand where that is older.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, platform, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeSection, writeTargets } from './page.mjs'
import { markdownOf, withOlder } from './section.mjs'

/**
 * `newer`: on Node 24, for peers that need it and for the clock of a thread. `older`: without the peers on an older Node
 * as well, whose V8 is another. `withoutPeers`: measures nothing beside ours.
 */
const suites = {
  generate: { title: 'Generate' },
  types: { title: 'Type-check' },
  call: { title: 'Call', newer: true, older: true },
  validate: { title: 'Validate', newer: true, older: true },
  cold: { title: 'Cold start' },
  prompt: { title: 'Prompt', newer: true },
  references: { title: 'References and explanations', withoutPeers: true },
  state: { title: 'State and plans' },
  serve: { title: 'Serve', newer: true },
}

const self = fileURLToPath(import.meta.url)
const options = process.argv.slice(2)
const quick = options.includes('--quick')
const printOnly = options.includes('--print')
const inside = options.indexOf('--into')

if (inside >= 0) await runHere(options[inside - 1], options[inside + 1])
else runAll(options.filter((option) => !option.startsWith('--')))

/** In the process of one suite: writes its section, and what it was measured on, to a file. */
async function runHere(name, file) {
  const { run } = await import(`./suites/${name}.mjs`)
  const section = await run({ quick, floorOnly: options.includes('--floor-only') })
  writeFileSync(file, JSON.stringify({ section, machine: measuredOn(), version: process.versions.node }))
  // Some peers leave timers behind.
  process.exit()
}

function runAll(named) {
  const wrong = named.filter((name) => !Object.hasOwn(suites, name))
  if (wrong.length > 0) {
    console.error(`No suite ${wrong.join(', ')}. Suites: ${Object.keys(suites).join(', ')}.`)
    process.exit(2)
  }
  requireParts(named)
  let failed = false
  for (const name of named.length > 0 ? named : Object.keys(suites)) {
    const start = performance.now()
    const section = sectionOf(name)
    console.error(`${name}: ${Math.round((performance.now() - start) / 1000)} s`)
    failed ||= section === undefined
    if (section === undefined) continue
    console.log(`## ${suites[name].title}\n\n${section}`)
    if (!printOnly) writeSection(name, section)
  }
  if (!printOnly) console.log(writeTargets(suites))
  if (failed) process.exitCode = 1
}

/** The section of a suite, as Markdown. */
function sectionOf(name) {
  const { newer, older } = suites[name]
  const here = [process.execPath]
  const node = newer ? newerNode() : here
  const found = runOn(node, name, [])
  if (found === undefined) return undefined
  let { section } = found
  if (older && node[0] !== here[0]) {
    const second = runOn(here, name, ['--floor-only'])
    if (second === undefined) return undefined
    section = withOlder(section, second.section, `Node ${second.version.split('.')[0]}`)
  }
  return `${found.machine}\n\n${markdownOf(section)}\n`
}

/** Runs a suite in a process of its own; undefined, and said why, where it fails. */
function runOn(node, name, more) {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-suite-'))
  const file = join(folder, 'section.json')
  try {
    const { status } = spawnSync(
      node[0],
      [...node.slice(1), self, name, '--into', file, ...more, ...(quick ? ['--quick'] : [])],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
    if (status === 0) return JSON.parse(readFileSync(file, 'utf8'))
    console.error(`${name} ended with ${status}.`)
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Node 24 or later: this one, or one that npm has or gets; else this one, and the peers that need it say so. */
function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return [process.execPath]
  const newer = ['npx', '-y', '-p', 'node@24', 'node']
  if (spawnSync(newer[0], [...newer.slice(1), '--version']).status === 0) return newer
  console.error(`Node 24 is not to be had here: on ${process.version}, without the peers that need it.`)
  return [process.execPath]
}

function requireParts(named) {
  const isAlone = named.length > 0 && named.every((name) => suites[name].withoutPeers)
  const parts = {
    '../dist/cli.js': 'npm run build',
    ...(!isAlone && { './node_modules/zod': 'npm --prefix bench ci' }),
  }
  for (const [path, command] of Object.entries(parts)) {
    if (existsSync(new URL(path, import.meta.url))) continue
    console.error(`bench needs ${path}: run ${command}.`)
    process.exit(2)
  }
}

function measuredOn() {
  const [cpu] = cpus()
  const day = new Date().toISOString().slice(0, 10)
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, ${gigabytes} GB, ${platform()} ${release()}`
  const rounds = quick ? ', with the few rounds of `--quick`' : ''
  return `Measured ${day} on Node ${process.versions.node}, ${machine}${rounds}.`
}
