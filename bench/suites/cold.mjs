// From the start of the process to the end of the first validated Call.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { coldRun } from '../cold-run.mjs'
import { makeTools, randomSource, validValue, zodSource } from '../corpus.mjs'
import { spread } from '../measure.mjs'
import { compileProject, generateProject, makeProject, removeProject } from '../project.mjs'
import { atMost, grouped, spreadText } from '../section.mjs'
import { staticImports } from '../static-imports.mjs'

const program = fileURLToPath(new URL('../cold-start.mjs', import.meta.url))
const labels = {
  bare: 'bare node',
  callsheet: 'Callsheet, generated registry',
  ajv: 'Ajv, compiled on first use',
  zod: 'zod, one module',
  typebox: 'TypeBox Compile on first use',
}

/** @returns {Promise<import('../section.mjs').Section>} */
export async function run({ quick = false } = {}) {
  const counts = [100, 1000]
  const measured = counts.map((count) => measure(count, quick ? 3 : 11))
  const reads = measured.map(({ read }, index) => [
    `${grouped(counts[index])} tools`,
    read.start.files,
    grouped(read.start.bytes),
    read.called.files,
    grouped(read.called.bytes),
  ])
  const rows = Object.entries(labels).map(([way, label]) => [
    label,
    ...measured.flatMap((ways) => [
      spreadText(ways[way].wall),
      way === 'bare' ? '' : `+${ways[way].over.median.toFixed(0)}`,
      ways[way].megabytes.toFixed(0),
    ]),
  ])
  const head = counts.flatMap((count) => [`${count} tools, ms`, 'over bare', 'MB'])
  return {
    tables: [
      { caption: 'Process start to first validated Call', head: ['Way', ...head], rows },
      {
        caption: 'What Callsheet reads, generated code included',
        head: ['Registry', 'files at start', 'bytes', 'files after the first Call', 'bytes'],
        rows: reads,
      },
    ],
    targets: [
      atMost(
        'cold start with 1,000 tools, milliseconds over bare node',
        40,
        measured[1].callsheet.over.median,
        (value) => value.toFixed(0),
      ),
    ],
    notes: [
      'Fresh processes in turns; "over bare" is the median of the differences to the bare process of the same round. Parameters and output of one tool are validated; each way has the schemas of all.',
      'Of what a registry of 1,000 tools costs over bare node, about a quarter is V8 scanning the 2 MB of schema texts in `schemas.ts`. `Tool.get` is synchronous, on edge runtimes too, so a static import has to reach them. As separate constants, one array, one literal, template literals or inside functions that are never called they cost the same to within the noise; only a comment is cheaper, by three quarters.',
      'Callsheet and Ajv take JSON Schema; zod has every tool as code in one module.',
    ],
  }
}

function measure(count, rounds) {
  const tools = makeTools(count)
  const folder = makeProject(tools)
  try {
    generateProject(folder)
    compileProject(folder)
    const tool = tools[Math.floor(count / 2)]
    prepare(folder, tools, tool)
    const runs = Object.fromEntries(Object.keys(labels).map((way) => [way, []]))
    for (let round = 0; round < rounds; round++) {
      for (const way of Object.keys(labels)) runs[way].push(coldRun([program, way, folder, tool.name]))
    }
    const figures = Object.entries(runs).map(([way, list]) => [
      way,
      {
        wall: spread(list.map(({ wall }) => wall)),
        over: spread(list.map(({ wall }, round) => wall - runs.bare[round].wall)),
        megabytes: spread(list.map(({ megabytes }) => megabytes)).median,
      },
    ])
    const read = {
      start: staticImports(folder, ['built/index.js']),
      called: staticImports(folder, ['built/index.js', `built/tools/${tool.name}.js`]),
    }
    return { ...Object.fromEntries(figures), read }
  } finally {
    removeProject(folder)
  }
}

function prepare(folder, tools, tool) {
  const random = randomSource(9)
  const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value))
  write('tools.json', tools)
  write('args.json', validValue(tool.parameters, random))
  write('answer.json', validValue(tool.output, random))
  const made = tools.map(
    ({ name, parameters, output }) =>
      `  ${name}: { parameters: ${zodSource(parameters)}, output: ${zodSource(output)} },\n`,
  )
  writeFileSync(
    join(folder, 'zod.mjs'),
    `import * as z from 'zod'\nexport const tools = {\n${made.join('')}}\n`,
  )
  const zod = fileURLToPath(new URL('../node_modules/zod', import.meta.url))
  symlinkSync(zod, join(folder, 'node_modules', 'zod'))
}
