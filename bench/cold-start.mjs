// A program that ends with its first validated call: `node bench/cold-start.mjs <way> <folder> <tool>`, measured from
// the start of its process. The folder holds what the way needs, beside `args.json` with arguments for the tool.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ways = { bare, callsheet, ajv, zod, typebox }

const [way, folder, tool] = process.argv.slice(2)
const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const load = (name) => import(pathToFileURL(join(folder, name)).href)
await ways[way]()

/** Nothing but Node. */
async function bare() {}

/** The generated registry: the tool's own module is loaded with its first Call. */
async function callsheet() {
  const { Tool, Activity } = await load('built/index.js')
  const answer = read('answer.json')
  Activity.register(tool, async () => answer)
  await Tool({ _tool: tool, ...read('args.json') })
}

/** All schemas are read, the two of the tool are compiled when it is first called: Ajv at its best. */
async function ajv() {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const { default: formats } = await import('ajv-formats')
  const instance = new Ajv2020({ strict: false })
  ;(formats.default ?? formats)(instance)
  const { parameters, output } = read('tools.json').find(({ name }) => name === tool)
  demand(instance.compile(parameters)(read('args.json')))
  demand(instance.compile(output)(read('answer.json')))
}

/** Schemas are code: all of them are made when the module is loaded. */
async function zod() {
  const { tools } = await load('zod.mjs')
  tools[tool].parameters.parse(read('args.json'))
  tools[tool].output.parse(read('answer.json'))
}

/** The schemas are read as data, the two of the tool are compiled when it is first called. */
async function typebox() {
  const { Compile } = await import('typebox/compile')
  const { parameters, output } = read('tools.json').find(({ name }) => name === tool)
  demand(Compile(parameters).Check(read('args.json')))
  demand(Compile(output).Check(read('answer.json')))
}

function demand(valid) {
  if (!valid) throw new Error(`The ${way} way finds its own example wrong.`)
}
