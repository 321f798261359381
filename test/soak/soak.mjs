// A million Calls through Tool.all, in bounded memory: `npm run soak`, or `npm run soak -- 5000000`. Runs on the built
// package, as its users do. Fails when memory grows with the number of Calls, or when an Outcome is missing.
import { createRegistry } from 'callsheet'

const calls = Number(process.argv[2] ?? 1_000_000)
const groupSize = 100
const samples = 10
/** What the heap may grow by from the first sample to the last, in MB: noise of the collector, and no trend. */
const allowedGrowth = 5

if (!globalThis.gc) throw new Error('Run it with `node --expose-gc`, as `npm run soak` does.')

const number = { type: 'number' }
const { Tool, Activity } = createRegistry({
  tools: {
    add: {
      type: 'object',
      properties: {
        _tool: { const: 'add' },
        left: number,
        right: number,
        _outputPath: { type: 'string' },
        _output: number,
      },
      required: ['_tool', 'left', 'right'],
      additionalProperties: false,
    },
    fail: { type: 'object', properties: { _tool: { const: 'fail' }, _output: number } },
    hang: { type: 'object', properties: { _tool: { const: 'hang' }, _output: number } },
  },
})
Activity.register('add', async ({ left, right }) => left + right)
Activity.register('fail', async () => {
  throw new Error('on purpose')
})
// Ends by its signal alone: what a group that fails must set off.
Activity.register(
  'hang',
  (_call, _tool, _context, run) =>
    new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason))),
)

let ended = 0
Tool.on('call:end', () => {
  ended++
})

const state = [{ type: 'state', state: { one: 1 } }]
const heap = []
let started = 0
let failedGroups = 0
const startedAt = Date.now()
for (let sample = 1; sample <= samples; sample++) {
  while (started < (calls * sample) / samples) {
    const group = Array.from({ length: groupSize }, (_, index) => ({
      _tool: 'add',
      left: index,
      right: '†state.one',
      ...(index % 10 === 0 && { _outputPath: `†state.sum${index}` }),
    }))
    // One group in a hundred fails, with a Call under way that has to be aborted.
    if ((started / groupSize) % 100 === 99) group.splice(-2, 2, { _tool: 'hang' }, { _tool: 'fail' })
    started += group.length
    await Tool.all(group, { context: state }).catch(() => {
      failedGroups++
    })
  }
  globalThis.gc()
  heap.push(process.memoryUsage().heapUsed / 2 ** 20)
}
const seconds = (Date.now() - startedAt) / 1000
const growth = (heap.at(-1) ?? 0) - (heap[0] ?? 0)
console.log(
  `${started} Calls, ${ended} Outcomes, ${failedGroups} groups failed on purpose, ${seconds.toFixed(0)} s; heap ${heap
    .map((each) => each.toFixed(1))
    .join(
      ' ',
    )} MB, growth ${growth.toFixed(1)} MB, peak RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
)
if (ended !== started) throw new Error(`${started} Calls started and ${ended} Outcomes came.`)
if (growth > allowedGrowth)
  throw new Error(`The heap grew by ${growth.toFixed(1)} MB; at most ${allowedGrowth} MB is noise.`)
