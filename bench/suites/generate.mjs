// What generating costs, in fresh processes that take turns, beside generators of types alone and of validators alone.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { coldRun } from '../cold-run.mjs'
import { makeTools } from '../corpus.mjs'
import { spread } from '../measure.mjs'
import { ourSources } from '../our-sources.mjs'
import { definitionPath, generateProject, makeProject, removeProject, root } from '../project.mjs'
import { atMost, grouped, spreadText } from '../section.mjs'

const generators = fileURLToPath(new URL('../generators.mjs', import.meta.url))
const peers = {
  json2ts: 'json-schema-to-typescript, unformatted (types)',
  openapi: 'openapi-typescript (types)',
  quicktype: 'quicktype-core (types)',
  ajv: 'Ajv standalone (validators)',
}

/** @returns {Promise<import('../section.mjs').Section>} */
export async function run({ quick = false } = {}) {
  const counts = [10, 100, 1000]
  const measured = counts.map((count) => measure(count, quick ? 3 : 7))
  const stages = []
  for (const count of counts) stages.push(await stageTimes(count))
  const last = measured.at(-1)
  const bytes = bytesOfTool()
  const ratio = (name, over = 'cold') =>
    spread(last[over].map(({ cpu }, round) => cpu / last[name][round].cpu)).median
  const wallRatio = (name, over = 'cold') =>
    spread(last[over].map(({ wall }, round) => wall / last[name][round].wall)).median
  return {
    tables: [
      ...counts.map((count, index) => runTable(count, measured[index])),
      {
        caption: 'Stages before writing, ms, the best of three runs in one process',
        head: ['Tools', 'load', 'build', 'check', 'emit', 'files', 'MB of output'],
        rows: stages,
      },
      {
        caption: 'Bytes of output for a tool, 200 tools in two dialects',
        head: ['Files', 'bytes'],
        rows: [...bytes]
          .sort(([, left], [, right]) => right - left)
          .map(([kind, size]) => [kind, grouped(size)]),
      },
    ],
    targets: [
      atMost(
        `${counts.at(-1)} tools, times json-schema-to-typescript unformatted, wall time`,
        1.2,
        wallRatio('json2ts'),
      ),
      atMost('the same by CPU time', 1.2, ratio('json2ts')),
      atMost('times quicktype-core', 1, wallRatio('quicktype')),
      atMost('times openapi-typescript', 0.8, wallRatio('openapi')),
      atMost('times Ajv standalone', 1 / 3, wallRatio('ajv')),
      atMost(
        'bytes of output for a tool, in two dialects',
        10_000,
        [...bytes.values()].reduce((sum, each) => sum + each, 0),
        (value) => grouped(value),
      ),
      atMost('unchanged input, of a cold run', 0.1, wallRatio('cold', 'unchanged')),
      atMost(
        'unchanged input, milliseconds',
        300,
        spread(last.unchanged.map(({ wall }) => wall)).median,
        (value) => value.toFixed(0),
      ),
    ],
    notes: [
      'Callsheet makes types, validators, wiring, the composed schema and a manifest, and writes them to files; the others make one of these and keep it in memory.',
      'Each figure is the median of fresh processes in turns, from the start of the process; ratios are medians of the ratios within a round.',
      'The dialect is `json-schema`: more than about 250 tools of this corpus pass the documented limits of OpenAI’s strict schemas, and generation says so.',
      '10,000 bytes of output are not reached: the schema’s text and what a model is sent in two dialects come to 6,800 bytes, the types to 4,600 (1,800 of them the schema as a type, for the `tool` of an Activity, ACT-2), search (FIND-1) and wiring to 1,000. That is 12,300 before any check; two verdicts are the rest, and their reasons are no longer printed.',
      'Where the time of 1,000 tools goes, by `--cpu-prof`: emitting 40 %, building and checking the model 20 %, writing 1,009 files 10 %, collecting garbage 10 %, starting and loading 20 % (TypeBox alone is 375 modules and 200 ms of processor time). Most of it runs once and cold: `--no-opt`, which spares V8 the optimising, takes 14 % off the processor time on Node 20 and 8 % on Node 24, and the same phases warm take 1.5 s. Fewer chunks in `dist`, TypeBox in the bundle, a larger young generation, and loading the phases while esbuild runs were tried and gained nothing.',
      'json-schema-to-typescript runs with `ignoreMinAndMaxItems`, since it otherwise prints a tuple of every length.',
    ],
  }
}

function measure(count, rounds) {
  const folder = makeProject(makeTools(count))
  const generate = () => coldRun([join(root, 'dist', 'cli.js'), 'generate', '--silent'], { cwd: folder })
  const runs = { cold: [], unchanged: [], changed: [], ...mapValues(peers, () => []) }
  try {
    for (let round = 0; round < rounds; round++) {
      rmSync(join(folder, 'generated'), { recursive: true, force: true })
      rmSync(join(folder, 'node_modules', '.cache'), { recursive: true, force: true })
      runs.cold.push(generate())
      runs.unchanged.push(generate())
      changeOneTool(folder, round)
      runs.changed.push(generate())
      for (const name of Object.keys(peers)) runs[name].push(coldRun([generators, name, String(count)]))
    }
    return runs
  } finally {
    removeProject(folder)
  }
}

/** What people commit for a tool of some 2 KB, by the default dialects: bytes by kind of file. */
function bytesOfTool(count = 200) {
  const folder = makeProject(makeTools(count), { dialects: ['json-schema', 'openai'] })
  try {
    generateProject(folder)
    const files = readdirSync(join(folder, 'generated'), { recursive: true, withFileTypes: true })
    const kinds = new Map()
    for (const file of files.filter((each) => each.isFile())) {
      const path = join(file.parentPath, file.name)
      const kind = file.parentPath.endsWith('tools')
        ? 'tools/*.ts'
        : relative(join(folder, 'generated'), path)
      kinds.set(kind, (kinds.get(kind) ?? 0) + statSync(path).size / count)
    }
    return kinds
  } finally {
    removeProject(folder)
  }
}

/** Adds a word to one description. */
function changeOneTool(folder, round) {
  const path = definitionPath(folder, 0)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, source.replace('description: "', `description: "Round${round} `))
}

function runTable(count, runs) {
  const rows = [
    ['Callsheet, cold', runs.cold],
    ['Callsheet, one tool changed', runs.changed],
    ['Callsheet, nothing changed', runs.unchanged],
    ...Object.entries(peers).map(([name, label]) => [label, runs[name]]),
  ]
  return {
    caption: `${count} tools`,
    head: ['Generator', 'wall ms', 'CPU ms', 'peak MB'],
    rows: rows.map(([label, list]) => [
      label,
      spreadText(spread(list.map(({ wall }) => wall))),
      grouped(spread(list.map(({ cpu }) => cpu)).median),
      grouped(spread(list.map(({ megabytes }) => megabytes)).median),
    ]),
  }
}

/** The phases one by one, in this process; the best of three, so not quite cold. */
async function stageTimes(count) {
  const { loadConfig, loadPhases } = await ourSources()
  const folder = makeProject(makeTools(count))
  try {
    const phases = await loadPhases()
    const { sets } = await loadConfig({ cwd: folder })
    const [settings] = sets
    let best
    for (let round = 0; round < 3; round++) {
      const at = [performance.now()]
      const loaded = await phases.load(settings)
      at.push(performance.now())
      const built = phases.build(loaded)
      at.push(performance.now())
      const checked = phases.check(built)
      at.push(performance.now())
      const { files } = phases.emit(checked)
      at.push(performance.now())
      const times = at.slice(1).map((end, index) => end - at[index])
      const total = at.at(-1) - at[0]
      if (!best || total < best.total) best = { total, times, files }
    }
    const bytes = best.files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
    return [
      String(count),
      ...best.times.map((time) => grouped(time)),
      grouped(best.files.length),
      (bytes / 1e6).toFixed(2),
    ]
  } finally {
    removeProject(folder)
  }
}

function mapValues(record, make) {
  return Object.fromEntries(Object.keys(record).map((key) => [key, make(key)]))
}
