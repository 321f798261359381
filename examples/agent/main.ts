import { modelFromEnvironment, runAgentSample, task } from './run.js'
import { traceOf } from './trace.js'

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
