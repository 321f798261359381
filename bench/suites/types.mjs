// What typed tools cost the compiler, beside types inferred from schemas in code. Instantiations are the same on every
// machine for one compiler, so they come first.

import { atMost, grouped } from '../section.mjs'
import { callsheetSource, checkPeer, typePeers } from '../type-peers.mjs'
import { compile } from '../types/compile.mjs'
import { makeProject } from '../types/project.mjs'

const [few, many] = [10, 100]

/** @returns {Promise<import('../section.mjs').Section>} */
export async function run({ quick = false } = {}) {
  const absent = []
  const slopes = new Map()
  const rows = []
  const ways = { callsheet: 'Callsheet, generated', ...typePeers }
  for (const [way, label] of Object.entries(ways)) {
    const [small, large] = [await check(way, few, absent), await check(way, many, absent)]
    if (!small || !large) continue
    const slope = (large.instantiations - small.instantiations) / (many - few)
    slopes.set(way, slope)
    rows.push([
      label,
      grouped(small.instantiations),
      grouped(large.instantiations),
      slope.toFixed(1),
      '',
      large.megabytes,
    ])
  }
  for (const row of rows) row[4] = `${(Number(row[3]) / slopes.get('callsheet')).toFixed(0)}`
  const times = []
  // The older compilers take many minutes over a thousand tools of the inferring kind.
  const checked = quick
    ? [[100, '7.0']]
    : [
        [100, '6.0'],
        [100, '7.0'],
        [1000, '7.0'],
      ]
  for (const [count, version] of checked) {
    for (const [way, label] of Object.entries(ways)) {
      const found = await check(way, count, absent, version)
      if (!found) continue
      times.push([
        `${label}, ${count} tools, TypeScript ${version}`,
        grouped(found.instantiations),
        found.seconds.toFixed(2),
        found.megabytes,
      ])
    }
  }
  const ours = slopes.get('callsheet')
  const ratios = [
    ['zod', 'of zod', 1 / 30],
    ['aiSdk', 'of AI SDK with zod', 1 / 60],
    ['typebox', 'of TypeBox Static', 1 / 60],
  ].filter(([way]) => slopes.has(way))
  return {
    tables: [
      {
        caption:
          'Instantiations, TypeScript 5.9: each tool declared, implemented with every parameter read, called with every result field read',
        head: [
          'Types from',
          `${few} tools`,
          `${many} tools`,
          'per further tool',
          'times Callsheet',
          `MB at ${many}`,
        ],
        rows,
      },
      { caption: 'Check time', head: ['Types from', 'instantiations', 'seconds', 'MB'], rows: times },
    ],
    targets: [
      atMost('instantiations per tool in use', 40, ours, (value) => value.toFixed(1)),
      ...ratios.map(([way, says, limit]) =>
        atMost(
          `instantiations per tool ${says}`,
          limit,
          ours / slopes.get(way),
          (value) => `1/${(1 / value).toFixed(0)}`,
        ),
      ),
    ],
    absent,
    notes: [
      '`node bench/types.mjs` breaks the figure down by use and measures the editor.',
      'The seconds are single runs on a shared machine.',
    ],
  }
}

async function check(way, count, absent, version = '5.9') {
  try {
    if (way !== 'callsheet') return await checkPeer(way, count, version)
    const project = await makeProject(count)
    return compile(project, callsheetSource(project), version)
  } catch (error) {
    absent.push(`${way} with ${count} tools on TypeScript ${version} (${error.message.slice(0, 120)})`)
    return undefined
  }
}
