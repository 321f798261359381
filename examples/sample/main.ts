import { inspect } from 'node:util'
import type { Outcome } from 'callsheet'
import { runSample } from './run.js'

const marks = { succeeded: '✓', failed: '✗', aborted: '◌', refused: '✗' }

const { outcomes, together, first, state } = await runSample()
console.log('Calls run by Callsheet, on the files of examples/sample/texts:\n')
for (const outcome of outcomes) console.log(lineOf(outcome))
console.log(`\nTool.all  ${inspect(together, { breakLength: 100 })}`)
console.log(`Tool.any  ${inspect(first, { breakLength: 100 })}`)
console.log(`\nThe context now holds †state:\n${inspect(state, { depth: 5, breakLength: 100 })}`)

function lineOf(outcome: Outcome): string {
  const time = `${outcome.endedAt - outcome.startedAt} ms`
  const how = outcome.activity ? `${outcome.mode}, Activity ${outcome.activity}` : outcome.mode
  const head = `${marks[outcome.status]} ${outcome.tool.padEnd(22)} ${how.padEnd(42)} ${time.padStart(6)}`
  const came = outcome.error
    ? `${outcome.error.code}: ${outcome.error.message}`
    : inspect(outcome.output, { depth: 3, breakLength: Infinity })
  return `${head}\n    ${came.length > 200 ? `${came.slice(0, 200)}…` : came}`
}
