import { modelFromEnvironment, runAgentSample, task } from './run.js'
import { traceOf } from './trace.js'
import { lookUpTask, solveByPlan, solveStepByStep } from './ways.js'

const chosen = modelFromEnvironment()
console.log(`\nAn agent on ${chosen.model}`)
if (!chosen.isLive) {
  console.log(
    'Offline: the script plays the model. OPENAI_API_KEY or OPENAI_BASE_URL runs this on a live one.',
  )
}
console.log(`\nTask    ${task}\n`)
const { output, spent } = await runAgentSample(chosen, (turn) => console.log(traceOf(turn)))
console.log(`Output  ${output}`)
console.log(`Spent   ${spent.turns} turns, ${spent.calls} Calls, ${spent.tokens} tokens`)

console.log(`\n\nOne plan or many turns\n\nTask    ${lookUpTask}\n`)
for (const [name, solve] of [
  ['Call by Call', solveStepByStep],
  ['By a plan with References', solveByPlan],
] as const) {
  console.log(`${name}\n`)
  const { result, isCounted } = await solve((turn) => console.log(traceOf(turn)))
  const { turns, tokens } = result.spent
  console.log(
    `Spent   ${turns} ${turns === 1 ? 'turn' : 'turns'}, ${isCounted ? tokens : 'uncounted'} tokens\n`,
  )
}
