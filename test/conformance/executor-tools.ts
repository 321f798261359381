import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createRegistry, type Registry } from 'callsheet'

const text = { type: 'string' } as const
const number = { type: 'number' } as const

/** Tools for executors: what they do can be counted from outside, in whatever process it was done. */
const tools = {
  wait: tool('wait', 'read', { name: text, milliseconds: number }, text),
  add: tool('add', 'read', { left: number, right: number }, number),
  tally: tool('tally', 'write', { left: number, right: number }, number),
  flaky: tool('flaky', 'read', { name: text, failures: number }, text),
  flakyWrite: tool('flakyWrite', 'write', { name: text, failures: number }, text),
  hang: tool('hang', 'read', { name: text }, text),
  pay: tool('pay', 'write', { to: text, amount: number }, text),
  settle: tool('settle', 'write', { name: text, milliseconds: number }, text),
  bulk: tool('bulk', 'write', { amount: number }, text),
  wrong: tool('wrong', 'write', { name: text }, number),
  judge: { ...tool('judge', 'read', { name: text }, text), ...latentOnly() },
}

function tool(name: string, effects: 'read' | 'write', parameters: object, output: object) {
  return {
    type: 'object',
    effects,
    properties: {
      _tool: { const: name },
      ...parameters,
      _outputPath: text,
      _output: output,
    },
    required: ['_tool', ...Object.keys(parameters)],
    additionalProperties: false,
  } as const
}

function latentOnly() {
  const { properties, ...rest } = tool('judge', 'read', { name: text }, text)
  return { ...rest, properties: { ...properties, _activity: { const: '' } } }
}

/** What was done: an Activity began or was through, a write was counted; a process took a run over, or asked the model. */
export interface Done {
  readonly event: 'start' | 'end' | 'tallied' | 'owner' | 'asked' | 'model'
  readonly tool: string
  /** The Call's `run.id`. */
  readonly id: string
  readonly pid: number
}

interface Parameters {
  readonly name: string
  readonly milliseconds: number
  readonly left: number
  readonly right: number
  readonly failures: number
  readonly to: string
  readonly amount: number
}

/** Makes the registry whose Activities write down in a file what they do. */
export function executorRegistry(file: string): Registry {
  const registry = createRegistry({ tools })
  const { Activity } = registry
  const register = (name: string, work: (call: Parameters, id: string, signal: AbortSignal) => unknown) =>
    Activity.register(name, async (call, _tool, _context, run) => {
      note(file, { event: 'start', tool: name, id: run.id, pid: process.pid })
      const output = await work(call, run.id, run.signal)
      note(file, { event: 'end', tool: name, id: run.id, pid: process.pid })
      return output
    })
  const wait = async ({ name, milliseconds }: Parameters): Promise<string> => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    return name
  }
  register('wait', wait)
  register('settle', wait)
  const sum = async ({ left, right }: Parameters): Promise<number> => {
    // Between 20 and 60 ms, the same each time.
    await new Promise((resolve) => setTimeout(resolve, 20 + ((left * 7 + right * 13) % 41)))
    return left + right
  }
  register('add', sum)
  register('tally', async (call, id) => {
    const output = await sum(call)
    // As a write should: under the key of its Call, which is the same when the body runs again.
    if (!doneIn(file).some((done) => done.event === 'tallied' && done.id === id)) {
      note(file, { event: 'tallied', tool: 'tally', id, pid: process.pid })
    }
    return output
  })
  const flaky = ({ name, failures }: Parameters, id: string): unknown => {
    const begun = doneIn(file).filter((done) => done.id === id && done.event === 'start').length
    if (begun <= failures) throw new Error(`failed ${begun} of ${failures} times`)
    return name
  }
  register('flaky', flaky)
  register('flakyWrite', flaky)
  register('hang', (_call, _id, signal) => {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  register('pay', ({ to, amount }) => `paid ${amount} to ${to}`)
  register('bulk', ({ amount }) => 'x'.repeat(amount))
  register('wrong', () => 'no number')
  return registry
}

export function note(file: string, what: object): void {
  appendFileSync(file, `${JSON.stringify(what)}\n`)
}

/** What was done so far, in the order in which it was written down. */
export function doneIn(file: string): Done[] {
  if (!existsSync(file)) return []
  // A process that is killed while it writes leaves half a line.
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
}

/** Calls that were started, by `run.id`. */
export function startsOf(file: string, only: (done: Done) => boolean = () => true): Map<string, number> {
  const starts = new Map<string, number>()
  for (const done of doneIn(file)) {
    if (done.event === 'start' && only(done)) starts.set(done.id, (starts.get(done.id) ?? 0) + 1)
  }
  return starts
}
