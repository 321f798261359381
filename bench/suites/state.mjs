// Reading and writing state over long logs, and plans of many Calls through the loop beside hand-written promises.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { spread } from '../measure.mjs'
import { root } from '../project.mjs'
import { atMost, spreadText } from '../section.mjs'

const width = 16

/** @returns {Promise<import('../section.mjs').Section>} */
export async function run({ quick = false } = {}) {
  const { createRegistry } = await ofDist('index.js')
  const rounds = quick ? 3 : 9
  const { Tool, Activity } = createRegistry({ tools: { next: nextTool } })
  Activity.register('next', async ({ value }) => value + 1)
  const results = []
  for (const count of [1_000, 10_000]) {
    results.push(await inRounds(`${count} independent Calls`, rounds, waysOf(Tool, independent(count))))
    results.push(
      await inRounds(
        `${count} Calls, each reading what the ${width}th before it wrote`,
        rounds,
        waysOf(Tool, layered(count)),
      ),
    )
  }
  const [, , many] = results
  return {
    tables: [
      {
        caption: `Plans, at most ${width} Calls at a time, ms`,
        head: [
          'Plan',
          'loop',
          'pool over Tool.run',
          'pool over bare functions',
          'loop : pool over Tool.run',
          'loop : bare',
        ],
        rows: results.map(({ name, times, ratio }) => [
          name,
          spreadText(times.loop),
          spreadText(times.tool),
          spreadText(times.bare, 1),
          ratio.tool.median.toFixed(2),
          ratio.bare.median.toFixed(1),
        ]),
      },
    ],
    text: scriptOutput(),
    targets: [
      atMost(
        'a loop of 10,000 independent Calls, times a hand-written bounded pool of the same Calls',
        1.5,
        many.ratio.tool.median,
      ),
    ],
    notes: [
      'The loop carries out a plan that its context brought along; what is measured ends when all of its Calls have. Each writes its output to a path of its own.',
      'The pool over `Tool.run` validates, resolves References and writes to a Context as the loop does, and knows its order beforehand; the one over bare functions keeps results in an array and does nothing else.',
    ],
  }
}

const nextTool = {
  type: 'object',
  properties: {
    _tool: { type: 'string', const: 'next' },
    value: { type: 'integer' },
    _outputPath: { type: 'string' },
    _output: { type: 'integer' },
  },
  required: ['_tool', 'value'],
}

/** By index: the index of the step that it reads, or a number. */
function independent(count) {
  return Array.from({ length: count }, (_, index) => ({ value: index }))
}

function layered(count) {
  return Array.from({ length: count }, (_, index) =>
    index < width ? { value: index } : { reads: index - width },
  )
}

function waysOf(Tool, steps) {
  const calls = steps.map(({ value, reads }, index) => ({
    _tool: 'next',
    value: reads === undefined ? value : `†state.s${reads}`,
    _outputPath: `†state.s${index}`,
  }))
  return {
    loop: () => throughLoop(Tool, calls),
    tool: async () => {
      const { createContext } = await ofDist('index.js')
      const context = createContext()
      await pool(steps, (_, index) => Tool.run(calls[index], { context }).then(requireSuccess))
    },
    bare: () => {
      const results = []
      return pool(steps, async ({ value, reads }, index) => {
        results[index] = (await next(reads === undefined ? value : results[reads])).value
      })
    },
  }
}

async function next(value) {
  return { value: value + 1 }
}

/** So many at a time in their order; a step waits for the one that it reads. */
async function pool(steps, work) {
  const done = []
  let at = 0
  const worker = async () => {
    while (at < steps.length) {
      const index = at++
      const { reads } = steps[index]
      done[index] =
        reads === undefined ? work(steps[index], index) : done[reads].then(() => work(steps[index], index))
      await done[index]
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** @returns Milliseconds until the plan was carried out; the model's turn after it is not counted. */
async function throughLoop(Tool, plan) {
  const { Agent } = await ofDist('agent.js')
  const { scriptedModel } = await ofDist('testing.js')
  const start = performance.now()
  let end
  const { outcomes } = await Agent({
    model: 'scripted',
    client: scriptedModel([{ output: 'done' }]),
    tools: Tool,
    context: [{ type: 'plan', plan }],
    output: { type: 'string' },
    concurrency: width,
    maxCalls: plan.length,
    onTurn: () => {
      end ??= performance.now()
    },
  })
  for (const outcome of outcomes) requireSuccess(outcome)
  if (outcomes.length !== plan.length) throw new Error(`${outcomes.length} of ${plan.length} Calls ran.`)
  return end - start
}

function requireSuccess({ status, error }) {
  if (status !== 'succeeded') throw new Error(`A Call ${status}: ${error?.message}`)
}

async function inRounds(name, rounds, ways) {
  const lists = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
  for (let round = rounds > 1 ? -2 : -1; round < rounds; round++) {
    for (const [way, work] of Object.entries(ways)) {
      const start = performance.now()
      const own = await work()
      const time = own ?? performance.now() - start
      // The rounds before are for V8.
      if (round >= 0) lists[way].push(time)
    }
  }
  const over = (way) => spread(lists.loop.map((time, round) => time / lists[way][round]))
  return {
    name,
    times: Object.fromEntries(Object.entries(lists).map(([way, list]) => [way, spread(list)])),
    ratio: { tool: over('tool'), bare: over('bare') },
  }
}

function scriptOutput() {
  const script = fileURLToPath(new URL('../state.mjs', import.meta.url))
  const { stdout, status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`bench/state.mjs ended with ${status}: ${stderr}`)
  return stdout.trim()
}

function ofDist(name) {
  return import(pathToFileURL(join(root, 'dist', name)).href)
}
