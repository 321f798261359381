// What one Call costs beside Ajv's two checks and an awaited function, and beside the peers, all in one process. The tools
// are generated, compiled and imported as a project would have them; every path gets the same Calls.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeTools, randomSource, toolSchema, validValue } from '../corpus.mjs'
import { inTurns, threadClock } from '../measure.mjs'
import { aiSdkPass, peers } from '../peers.mjs'
import { compileProject, generateProject, makeProject, removeProject } from '../project.mjs'
import { atMost, grouped, spreadText } from '../section.mjs'

const require = createRequire(import.meta.url)
const { Ajv2020 } = require('ajv/dist/2020.js')
const addFormats = require('ajv-formats')

const count = 100
const perTool = 4
const floorName = 'floor: Map, Ajv, await, Ajv'

/** @returns {Promise<import('../section.mjs').Section>} */
export async function run({ quick = false, floorOnly = false } = {}) {
  const folder = makeProject(makeTools(count))
  try {
    generateProject(folder)
    const built = compileProject(folder)
    return await measure(await prepared(built), quick, floorOnly)
  } finally {
    removeProject(folder)
  }
}

/** The generated registry with an Activity for each tool, and calls as a model's would be: parsed from JSON. */
async function prepared(built) {
  const { Tool, Activity } = await import(pathToFileURL(join(built, 'index.js')).href)
  const random = randomSource(5)
  const asParsed = (value) => JSON.parse(JSON.stringify(value))
  const tools = makeTools(count).map((tool) => ({
    ...tool,
    answer: asParsed(validValue(tool.output, random)),
  }))
  const table = new Map()
  const calls = []
  for (const { name, parameters, answer } of tools) {
    const { checks } = await import(pathToFileURL(join(built, 'tools', `${name}.js`)).href)
    const activity = async () => answer
    Activity.register(name, activity)
    table.set(name, { checks, activity, ajv: ajvChecks(tools[table.size]) })
    for (let index = 0; index < perTool; index++) {
      calls.push(asParsed({ _tool: name, ...validValue(parameters, random) }))
    }
  }
  return { Tool, table, tools, calls }
}

/** A Call's own schema and that of its output, each compiled by an Ajv of its own, as it is fastest. */
function ajvChecks(tool) {
  const { properties, ...schema } = toolSchema(tool)
  const { _output, ...sent } = properties
  const compile = (each) => addFormats(new Ajv2020({ strict: false })).compile(each)
  return { call: compile({ ...schema, properties: sent }), output: compile(_output) }
}

async function measure({ Tool, table, tools, calls }, quick, floorOnly) {
  const each = (one) => async () => {
    for (const call of calls) await one(call)
  }
  const floor = floorOf(table, 'ajv')
  requireAgreement(table, calls)
  const known = {
    [floorName]: { validates: 'input, output', pass: each(floor) },
    'the same with Callsheet’s checks': { validates: 'input, output', pass: each(floorOf(table, 'checks')) },
    'Map and await only': {
      validates: 'nothing',
      pass: each((call) => table.get(call._tool).activity(call)),
    },
    'Callsheet Tool(call)': { validates: 'input, output', pass: each((call) => Tool(call)) },
    'Callsheet Tool.run(call)': { validates: 'input, output', pass: each((call) => Tool.run(call)) },
  }
  const closing = []
  const absent = []
  const split = calls.map(({ _tool, ...args }) => ({ name: _tool, args }))
  for (const [name, make] of floorOnly ? [] : Object.entries(peers)) {
    try {
      const { validates, run: runCall, close } = await make(tools)
      if (close) closing.push(close)
      known[name] = {
        validates,
        pass: async () => {
          for (const { name: tool, args } of split) await runCall(tool, args)
        },
      }
    } catch (error) {
      absent.push(`${name} (${error.message})`)
    }
  }
  const sdk = [
    ['AI SDK generateText, jsonSchema() with Ajv', false],
    ['AI SDK generateText, zod', true],
  ]
  for (const [name, withZod] of floorOnly ? [] : sdk) {
    try {
      known[name] = { validates: 'input (and parses it)', pass: await aiSdkPass(tools, calls, withZod) }
    } catch (error) {
      absent.push(`${name} (${error.message})`)
    }
  }
  const contestants = Object.fromEntries(Object.entries(known).map(([name, { pass }]) => [name, pass]))
  const measured = await inTurns({
    floor: floorName,
    contestants,
    perPass: calls.length,
    warmUp: quick ? 500 : 3000,
    turn: quick ? 100 : 300,
    rounds: quick ? 3 : 11,
  })
  for (const close of closing) await close()
  const pool = await measurePool(Tool, floor, calls, quick)
  return asSection(known, measured, pool, absent)
}

/** What somebody would write by hand who validates both ways, and does nothing else. */
function floorOf(table, which) {
  return async (call) => {
    const tool = table.get(call._tool)
    const { call: checkCall, output: checkOutput } = tool[which]
    if (!checkCall(call)) throw new Error('not valid')
    const output = await tool.activity(call)
    if (!checkOutput(output)) throw new Error('not valid')
    return output
  }
}

/** All Calls and outputs pass both kinds of checks, or the paths would not do the same work. */
function requireAgreement(table, calls) {
  for (const call of calls) {
    const { ajv, checks } = table.get(call._tool)
    if (!ajv.call(call) || !checks.call(call)) throw new Error(`${call._tool}: not valid`)
  }
}

/** 10,000 independent Calls, at most 16 at a time, beside a hand-written pool of promises over the floor. */
async function measurePool(Tool, floor, calls, quick) {
  const many = Array.from({ length: 10_000 }, (_, index) => calls[index % calls.length])
  const pool = async (width) => {
    let next = 0
    const worker = async () => {
      while (next < many.length) await floor(many[next++])
    }
    await Promise.all(Array.from({ length: width }, worker))
  }
  return inTurns({
    floor: 'hand-written pool',
    contestants: {
      'hand-written pool': () => pool(16),
      'Tool.all with concurrency 16': () => Tool.all(many, { concurrency: 16 }),
      'Tool.all': () => Tool.all(many),
    },
    perPass: many.length,
    warmUp: quick ? 300 : 1500,
    turn: quick ? 100 : 300,
    rounds: quick ? 3 : 11,
  })
}

function asSection(known, measured, pool, absent) {
  const shown = (value) => value.toFixed(3)
  const ratio = (name) => measured[name]?.ratio.median
  const ours = ratio('Callsheet Tool.run(call)')
  const share = (name) => (ratio(name) === undefined ? [] : [ours / ratio(name)])
  return {
    tables: [
      {
        caption: `One Call, ${count} tools, ${count * perTool} different valid calls (${threadClock.name})`,
        head: ['Path', 'validates', 'ns per Call', 'times the floor'],
        rows: Object.entries(measured).map(([name, { nanoseconds, ratio: times }]) => [
          name,
          known[name].validates,
          grouped(nanoseconds.median),
          spreadText(times, 2),
        ]),
      },
      {
        caption:
          '10,000 independent Calls at once, all of them checked before any starts, beside a hand-written pool of promises over the floor',
        head: ['Path', 'ns per Call', 'times the pool'],
        rows: Object.entries(pool).map(([name, { nanoseconds, ratio: times }]) => [
          name,
          grouped(nanoseconds.median),
          spreadText(times, 2),
        ]),
      },
    ],
    targets: [
      atMost(
        'Tool(call) with both validations, times Ajv’s two checks and an await',
        1.25,
        ratio('Callsheet Tool(call)'),
      ),
      atMost(
        'Tool.all of 10,000 Calls, times a hand-written pool over the same',
        2,
        pool['Tool.all'].ratio.median,
      ),
      ...share('Mastra with outputSchema').map((value) =>
        atMost('of Mastra with output validation', 1 / 3, value, shown),
      ),
      ...share('AI SDK generateText, zod').map((value) => atMost('of AI SDK with zod', 1 / 8, value, shown)),
      ...share('MCP in memory with outputSchema').map((value) =>
        atMost('of MCP in memory', 1 / 8, value, shown),
      ),
    ],
    notes: [
      'All paths take turns in one process after a warm-up by time; the ratio is to the floor of the same round.',
      'Callsheet also copies the Call, since its Activity gets one of its own, and records the Outcome; no peer but MCP, which goes through JSON-RPC messages, does the first, and none the second.',
      'AI SDK: all 400 calls in one response, which shares the cost of the step among them; a step by itself costs far more.',
    ],
    absent,
  }
}
