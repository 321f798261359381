// What typed Tools cost the compiler, and so every build and every keystroke, held against the limits in
// bench/types/budget.json; fails when one is exceeded. Instantiations are the same on every machine, and `npm run counts`
// holds them exactly; check times are of this machine, so they are for a quiet one.
//
//   node bench/types.mjs            everything: instantiations, check times to a thousand tools, plans, the editor
//   node bench/types.mjs --check    instantiations alone
//
// Needs dist/ (npm run build).
import { readFileSync } from 'node:fs'
import { checkTimes, planTimes } from './types/check-times.mjs'
import { typeCosts } from './types/costs.mjs'
import { editorLatency } from './types/editor-latency.mjs'

const budget = JSON.parse(readFileSync(new URL('types/budget.json', import.meta.url), 'utf8'))

hold('instantiations, TypeScript 5.9', await typeCosts(), budget.instantiations)
if (!process.argv.includes('--check')) {
  hold('seconds of checking', await checkTimes(), budget.seconds)
  hold('seconds of checking a plan of 100 steps', await planTimes(), budget.plans)
  const editor = await editorLatency(1000)
  hold('milliseconds to completions, 1,000 tools', editor.milliseconds)
  hold('completions, as a share of TypeBox Static', editor.shares, budget.editor)
}

/** Prints what was measured, each beside its limit where there is one. */
function hold(what, measured, limits = {}) {
  console.log(`\n${what}`)
  for (const [name, value] of Object.entries(measured)) {
    const limit = limits[name]
    const exceeded = limit !== undefined && !(value <= limit)
    if (exceeded) process.exitCode = 1
    const verdict = limit === undefined ? '' : `  at most ${limit}${exceeded ? '  EXCEEDED' : ''}`
    console.log(`  ${name}: ${value}${verdict}`)
  }
  const unmeasured = Object.keys(limits).filter((name) => measured[name] === undefined)
  if (unmeasured.length > 0) throw new Error(`Limits of what is not measured: ${unmeasured.join(', ')}`)
}
