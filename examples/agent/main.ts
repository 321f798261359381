import { inspect } from 'node:util'
import type { Outcome } from 'callsheet'
import type { Turn } from 'callsheet/agent'
import { modelFromEnvironment, runAgentSample } from './run.js'

const marks = { succeeded: '✓', failed: '✗', aborted: '◌', refused: '✗' }

const chosen = modelFromEnvironment()
console.log(
  `An agent on ${chosen.model}${chosen.isLive ? '' : ', offline: set OPENAI_API_KEY or OPENAI_BASE_URL for a live model'}\n`,
)
const { output, spent } = await runAgentSample(chosen, printTurn)
console.log(`\nOutput  ${output}`)
console.log(`Spent   ${spent.turns} turns, ${spent.calls} Calls, ${spent.tokens} tokens`)

function printTurn({ turn, solution, outcomes, waiting, usage }: Turn): void {
  const asked = solution.calls.length === 0 ? 'no Calls' : `${solution.calls.length} Calls`
  console.log(`Turn ${turn}  ${asked}, ${usage.in} tokens in, ${usage.out} out`)
  for (const outcome of outcomes) console.log(lineOf(outcome))
  if (waiting.length > 0) console.log(`    ${waiting.length} Calls wait for what they read`)
}

function lineOf(outcome: Outcome): string {
  const came = outcome.error
    ? `${outcome.error.code}: ${outcome.error.message}`
    : inspect(outcome.output, { depth: 3, breakLength: Infinity })
  const shown = came.length > 110 ? `${came.slice(0, 110)}…` : came
  return `  ${marks[outcome.status]} ${outcome.tool.padEnd(20)} ${outcome.mode.padEnd(9)} ${shown}`
}
