import { inspect } from 'node:util'
import type { Call, Outcome } from 'callsheet'
import type { Turn } from 'callsheet/agent'

const marks = { succeeded: '✓', failed: '✗', aborted: '◌', refused: '✗' }

/** Describes one turn of an agent: the Calls that the model chose and the result of each. */
export function traceOf({ turn, solution, outcomes, waiting, usage }: Turn): string {
  const { length } = solution.calls
  const chose = length > 0 ? `chooses ${length} Call${length > 1 ? 's' : ''}` : 'gives its answer'
  const tokens = `${usage.in} tokens in, ${usage.out} out`
  const ran = outcomes.flatMap((outcome) => [`  ${callLine(outcome)}`, `      ${resultLine(outcome)}`])
  const blocked = waiting.map((call) => `  … ${call._tool} waits for ${readBy(call).join(', ')}`)
  return [`Turn ${turn}  The model ${chose} (${tokens})`, ...ran, ...blocked, ''].join('\n')
}

function callLine({ call, status, mode }: Outcome): string {
  const parameters = Object.fromEntries(Object.entries(call).filter(([name]) => !name.startsWith('_')))
  const reads = readBy(call)
  const notes = [
    ...(mode === 'latent' ? ['latent: the model gave the output'] : []),
    ...(reads.length > 0 ? [`waited for ${reads.join(', ')}`] : []),
  ]
  const noted = notes.length > 0 ? `   ${notes.join('; ')}` : ''
  return `${marks[status]} ${call._tool} ${brief(parameters)}${noted}`
}

function resultLine({ call, output, error }: Outcome): string {
  if (error) return `→ ${error.code}, which the model reads in its next turn: ${brief(error.message)}`
  return `→ ${brief(output)}${call._outputPath ? `   written to ${call._outputPath}` : ''}`
}

/** The References among a Call's parameters. */
function readBy(call: Call): string[] {
  return Object.entries(call).flatMap(([name, value]) =>
    !name.startsWith('_') && typeof value === 'string' && value.startsWith('†') ? [value] : [],
  )
}

/** Shortens a value to one line, and a path to its last part. */
function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : inspect(value, { depth: 4, breakLength: Infinity })
  const short = text.replace(/(?<=^|[\s'])(?:[A-Z]:)?[\\/](?:[^\\/\s']+[\\/])+(?=[^\\/\s']+)/g, '…/')
  return short.length > 88 ? `${short.slice(0, 88)}…` : short
}
