// What a model is sent for the same tools, in tokens and bytes, and what it costs to put that together.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { makeTools, realTools, toolSchema } from '../corpus.mjs'
import { ourSources } from '../our-sources.mjs'
import { zodOf } from '../peers.mjs'
import { atMost, grouped } from '../section.mjs'

const options = { activities: 'same-name', explicitOutput: 'omit' }
const systemFields = ['_reasoningForCall', '_activity', '_output']

/** @returns {Promise<import('../section.mjs').Section>} */
export async function run() {
  const sources = await ourSources()
  const corpora = [10, 100, 1000].map((count) => [`${count} tools`, makeTools(count)])
  const absent = []
  const tables = []
  const targets = []
  for (const [label, tools] of corpora) {
    const forms = formsOf(sources, tools)
    try {
      forms['AI SDK from zod, as function tools'] = await aiSdkTools(tools)
    } catch (error) {
      if (tables.length === 0) absent.push(`AI SDK (${error.message})`)
    }
    tables.push(formTable(label, tools.length, forms))
    if (tools.length === 100) targets.push(...targetsOf(forms))
  }
  const real = realTools()
  if (real)
    tables.push(
      formTable(`the ${real.length} tools of the GitHub MCP server`, real.length, formsOf(sources, real)),
    )
  else absent.push('the 117 real tools (CALLSHEET_TEST_DATA names no folder with them)')
  tables.push(await composeTimes(sources))
  return {
    tables,
    targets,
    absent,
    notes: [
      'Minified JSON, counted with o200k_base. Providers put tools into words of their own, so only the ratios say something.',
      '"Without meta-fields" is the composed schema less `_reasoningForCall` and `_activity`; the surcharge of the default ones is the difference to the row below it.',
      'The strict function tools have the very parameter schemas that the composed one has, so that what is compared is the way of sending them.',
    ],
  }
}

/** Text by form, for the same tools. */
function formsOf({ compose, lower, render }, tools) {
  const schemas = tools.map(toolSchema)
  const composed = compose(schemas, options)
  const strict = lower(composed, 'openai').schema
  const rendered = render(schemas, 'typescript')
  return {
    'OpenAI function tools, strict': JSON.stringify(functionTools(strict, true)),
    'composed, openai, without meta-fields': JSON.stringify(without(strict, systemFields)),
    'composed, openai': JSON.stringify(strict),
    'OpenAI function tools, as declared': JSON.stringify(functionTools(composed, false)),
    'composed, json-schema, without meta-fields': JSON.stringify(without(composed, systemFields)),
    'composed, json-schema': JSON.stringify(composed),
    'composed, json-schema, with _output': JSON.stringify(compose(schemas, { activities: 'same-name' })),
    'render(tools, "typescript")': rendered,
  }
}

/** The branches of a composed schema as the function tools that they would be otherwise. */
function functionTools(composed, strict) {
  const names = composed.properties.calls.items.anyOf.map(
    ({ properties: { _tool } }) => _tool.const ?? _tool.enum[0],
  )
  return without(composed, ['_tool', ...systemFields]).properties.calls.items.anyOf.map(
    ({ description, ...parameters }, index) => ({
      type: 'function',
      name: names[index],
      ...(description !== undefined && { description }),
      parameters,
      ...(strict && { strict: true }),
    }),
  )
}

function without(composed, fields) {
  const copy = structuredClone(composed)
  for (const branch of copy.properties.calls.items.anyOf) {
    for (const field of fields) delete branch.properties[field]
    branch.required = branch.required.filter((name) => !fields.includes(name))
  }
  return copy
}

/** What the AI SDK hands to a model, caught on its way and written as OpenAI's function tools. */
async function aiSdkTools(tools) {
  const { pass, sent } = await aiSdkStep(tools, true)
  await pass()
  return JSON.stringify(
    sent.tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
    })),
  )
}

/** One step of the AI SDK with a model that only answers, and what that model was given. */
async function aiSdkStep(tools, withZod) {
  const { generateText, jsonSchema, tool } = await import('ai')
  const { MockLanguageModelV4 } = await import('ai/test')
  const sent = { tools: [] }
  const model = new MockLanguageModelV4({
    doGenerate: async (options) => {
      sent.tools = options.tools
      return {
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
        warnings: [],
      }
    },
  })
  const made = tools.map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: withZod ? zodOf(parameters) : jsonSchema(parameters) }),
  ])
  const record = Object.fromEntries(made)
  return { sent, pass: () => generateText({ model, tools: record, prompt: 'go' }) }
}

function formTable(label, count, forms) {
  const texts = Object.entries(forms).map(([name, text]) => ({
    name,
    tokens: encode(text).length,
    bytes: Buffer.byteLength(text),
  }))
  const [base] = texts
  return {
    caption: label,
    head: ['Form', 'tokens', 'per tool', 'bytes', 'times strict function tools'],
    rows: texts.map(({ name, tokens, bytes }) => [
      name,
      grouped(tokens),
      (tokens / count).toFixed(1),
      grouped(bytes),
      (tokens / base.tokens).toFixed(3),
    ]),
  }
}

function targetsOf(forms) {
  const tokens = (name) => encode(forms[name]).length
  const plain = tokens('composed, openai, without meta-fields')
  const shown = (value) => value.toFixed(3)
  const targets = [
    atMost(
      'composed (openai) without meta-fields, times strict function tools',
      1.02,
      plain / tokens('OpenAI function tools, strict'),
      shown,
    ),
  ]
  const zod = 'AI SDK from zod, as function tools'
  if (forms[zod] === undefined) return targets
  const declared = tokens('composed, json-schema, without meta-fields')
  return [
    ...targets,
    atMost(
      'composed (json-schema) without meta-fields, of AI SDK with zod',
      0.75,
      declared / tokens(zod),
      shown,
    ),
  ]
}

/** Milliseconds per model step, warm. */
async function composeTimes({ compose, lower }) {
  const rows = []
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-compose-'))
  for (const count of [100, 1000]) {
    const tools = makeTools(count)
    const schemas = tools.map(toolSchema)
    const file = join(folder, `${count}.json`)
    writeFileSync(file, JSON.stringify(compose(schemas, options)))
    const ways = {
      'Callsheet, composed at generation: read the file': () => readFileSync(file, 'utf8'),
      'Callsheet, compose() and stringify': () => JSON.stringify(compose(schemas, options)),
      'Callsheet, compose(), lower() to openai and stringify': () =>
        JSON.stringify(lower(compose(schemas, options), 'openai').schema),
    }
    try {
      ways['AI SDK step, jsonSchema()'] = (await aiSdkStep(tools, false)).pass
      ways['AI SDK step, zod'] = (await aiSdkStep(tools, true)).pass
    } catch {
      // Named as absent where its tokens would stand.
    }
    for (const [name, way] of Object.entries(ways)) rows.push([`${name}, ${count} tools`, await best(way)])
  }
  rmSync(folder, { recursive: true, force: true })
  return { caption: 'Putting it together, for each model step', head: ['Way', 'ms'], rows }
}

async function best(way) {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 7; round++) {
    const start = performance.now()
    await way()
    fastest = Math.min(fastest, performance.now() - start)
  }
  return fastest.toFixed(2)
}
