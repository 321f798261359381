// Recall of Tool.find beside MiniSearch with the Porter stemmer, on questions that people asked:
//
//   node bench/find.mjs TOOLS.json QUESTIONS.jsonl
//
// TOOLS.json is an MCP tools/list result; each line of QUESTIONS.jsonl is { "question": text, "tools": [names] }. The figures in
// docs/finding-tools.md are of the 643 functions and 1,083 questions of the Berkeley Function Calling Leaderboard
// (github.com/ShishirPatil/gorilla), which are not part of this repository. Needs dist/ and the peers (npm --prefix bench ci).
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import MiniSearch from 'minisearch'
import { stemmer } from 'stemmer'
import { createRegistry } from '../dist/index.js'

const [toolsFile, questionsFile] = process.argv.slice(2)
if (!toolsFile || !questionsFile) {
  console.error('Usage: node bench/find.mjs TOOLS.json QUESTIONS.jsonl')
  process.exit(2)
}
const { tools } = JSON.parse(readFileSync(toolsFile, 'utf8'))
const questions = readFileSync(questionsFile, 'utf8').trim().split('\n').map(JSON.parse)
const places = [1, 3, 5, 10, 20]

await report('Tool.find', await ourSearch(1))
await report('MiniSearch', miniSearch(1))
await report('Tool.find, twice the Tools', await ourSearch(2))
await report('MiniSearch, twice the Tools', miniSearch(2))

/** The same Tools `times` times, the later ones under names that no question wants, for the time that a question takes. */
function multiplied(times) {
  return Array.from({ length: times }, (_, copy) =>
    tools.map((tool) => (copy === 0 ? tool : { ...tool, name: `Other${copy}.${tool.name}` })),
  ).flat()
}

async function ourSearch(times) {
  const { Tool } = createRegistry()
  const registered = new Map()
  for (const { name, description, inputSchema } of multiplied(times)) {
    // Names of other makers need not be names of Tools.
    const own = name.replaceAll(/[^\w.-]+/g, '_').replace(/^(\d)/, '_$1')
    registered.set(own, name)
    Tool.register(own, { ...inputSchema, description })
  }
  await Tool.find('one, to load and to index')
  return async (question) =>
    (await Tool.find(question, { limit: 20 })).map(({ name }) => registered.get(name))
}

function miniSearch(times) {
  const split = (text) =>
    text
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+|\d+/g) ?? []
  const index = new MiniSearch({
    fields: ['name', 'description', 'parameters'],
    tokenize: split,
    processTerm: stemmer,
    searchOptions: { boost: { name: 2, description: 2, parameters: 1 } },
  })
  index.addAll(
    multiplied(times).map(({ name, description, inputSchema }) => ({
      id: name,
      name,
      description,
      parameters: JSON.stringify(inputSchema),
    })),
  )
  return (question) =>
    index
      .search(question)
      .slice(0, 20)
      .map(({ id }) => id)
}

async function report(label, search) {
  const hits = places.map(() => 0)
  const start = performance.now()
  for (const { question, tools: wanted } of questions) {
    const found = await search(question)
    const last = Math.max(...wanted.map((name) => (found.includes(name) ? found.indexOf(name) : Infinity)))
    places.forEach((place, index) => {
      if (last < place) hits[index] += 1
    })
  }
  const each = (performance.now() - start) / questions.length
  const recall = places.map((place, index) => `${place}: ${(hits[index] / questions.length).toFixed(3)}`)
  console.log(`${label.padEnd(28)} recall at ${recall.join(', ')}; ${each.toFixed(2)} ms a question`)
}
