// What typed Tools cost the compiler, and so every build and every keystroke: instantiations, which are the same on
// every machine, and check time, which is not.
//
//   node bench/types.mjs            measures everything, prints a table and writes bench/type-cost.json
//   node bench/types.mjs --check    counts instantiations for 10 and 100 tools with TypeScript 5.9, and fails when one
//                                   more tool costs more than the budgets below say
//
// Needs dist/ (npm run build).
import { writeFileSync } from 'node:fs'
import { compile } from './types/compile.mjs'
import { editorLatency } from './types/editor-latency.mjs'
import { makePlanProject, makeProject, planSource, uses } from './types/project.mjs'

/** Instantiations that one more tool may cost with TypeScript 5.9, from 10 tools to 100. */
const budgets = { built: 12, activity: 40 }

const counts = [10, 100, 1000]
const versions = ['5.9', '6.0', '7.0']

/** Instantiations per further tool, over what the tools cost that nobody uses. */
async function slopes(names, version = '5.9') {
  const [few, many] = [10, 100]
  const projects = [await makeProject(few), await makeProject(many)]
  const perTool = (use) => {
    const [least, most] = projects.map((project) => compile(project, use, version).instantiations)
    return (most - least) / (many - few)
  }
  const declared = perTool('none')
  return Object.fromEntries(
    [['declared', declared], ...names.map((use) => [use, perTool(use) - declared])].map(([use, value]) => [
      use,
      Math.round(value * 10) / 10,
    ]),
  )
}

async function checkBudgets() {
  const measured = await slopes(Object.keys(budgets))
  let exceeded = false
  for (const [use, most] of Object.entries(budgets)) {
    const ok = measured[use] <= most
    exceeded ||= !ok
    console.log(
      `${ok ? 'ok' : 'EXCEEDED'}  ${use}: ${measured[use]} instantiations per tool, at most ${most}`,
    )
  }
  if (exceeded) process.exitCode = 1
}

async function measureAll() {
  const perTool = await slopes(Object.keys(uses).filter((use) => use !== 'none'))
  const checks = []
  for (const count of counts) {
    const project = await makeProject(count)
    for (const version of versions) {
      for (const use of Object.keys(uses)) {
        // The older compilers take minutes over a thousand of everything, and nobody waits for that in CI.
        const { instantiations, seconds, megabytes } = compile(project, use, version)
        checks.push({ tools: count, typescript: version, use, instantiations, seconds, megabytes })
        console.log(
          `${count} tools, TypeScript ${version}, ${use}: ${instantiations} instantiations, ${seconds} s`,
        )
      }
    }
  }
  const plans = []
  for (const version of versions) {
    const project = await makePlanProject()
    for (const form of ['chain', 'array']) {
      const { instantiations, seconds } = compile(project, planSource(100, form), version)
      plans.push({ steps: 100, form, typescript: version, instantiations, seconds })
      console.log(`a plan of 100 steps, ${form}, TypeScript ${version}: ${instantiations}, ${seconds} s`)
    }
  }
  const editor = await editorLatency(1000)
  console.log('editor', editor)
  const report = {
    instantiationsPerTool: { typescript: '5.9', from: 10, to: 100, ...perTool },
    checks,
    plans,
    editor,
  }
  writeFileSync(new URL('type-cost.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
}

await (process.argv.includes('--check') ? checkBudgets() : measureAll())
