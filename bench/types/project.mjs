import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from '../../dist/codegen.js'
import { makeTools, randomSource, toolSchema, validValue } from '../corpus.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/bench-types')

/**
 * A project of so many tools, generated, inside this package so that `callsheet` is the built one.
 *
 * @param given Tools in place of those of the corpus, of which no values are made.
 * @param declaresContext Adds a declared context, and one tool, `benchNote`, for References to it.
 */
export async function makeProject(count, declaresContext = false, given) {
  const folder = join(cache, declaresContext ? `${count}-context` : String(count))
  const tools = given ?? makeTools(count)
  const random = randomSource(7)
  const values = (given ? [] : tools).map(({ name, parameters, output }) => ({
    name,
    parameters: validValue(parameters, random),
    output: validValue(output, random),
  }))
  mkdirSync(join(folder, 'definitions'), { recursive: true })
  writeFileSync(join(folder, 'definitions/tools.json'), JSON.stringify(tools.map(toolSchema)))
  if (declaresContext) {
    linkPackage(folder)
    writeFileSync(join(folder, 'definitions/context.ts'), noteDefinitions)
  }
  await generated(folder)
  return { folder, tools, values }
}

const noteDefinitions = `import { defineContext, tool } from 'callsheet'
import { Type } from 'typebox'
export const context = defineContext({ state: Type.Object({ user: Type.Object({ name: Type.String() }) }) })
export const benchNote = tool('benchNote', { text: Type.String(), _output: Type.String() })
`

async function generated(folder) {
  const config = { importExtension: '.js', dialects: ['json-schema'] }
  const report = await generate({ cwd: folder, config, cache: false })
  if (!report.ok) throw new Error(report.findings.map(({ message }) => message).join('\n'))
}

const head = "import { Activity, calls, Tool } from './generated/index.js'\nvoid [Activity, calls, Tool]\n"
const json = JSON.stringify

/** What a program does with every tool, as source text. */
export const uses = {
  none: () => head,
  built: ({ values }) =>
    head + lines(values, ({ name, parameters }) => `void (await Tool(calls.${name}(${json(parameters)})))`),
  literal: ({ values }) =>
    head + lines(values, ({ name, parameters }) => `void (await Tool(${literal(name, parameters)}))`),
  activity: ({ values }) =>
    head +
    lines(
      values,
      ({ name, output }) =>
        `Activity.register('${name}', async (call, tool, context, run) => (${json(output)}))`,
    ),
  group: ({ values }) =>
    head +
    lines(
      triples(values),
      (triple) =>
        `void (await Tool.all([${triple.map(({ name, parameters }) => `calls.${name}(${json(parameters)})`).join(', ')}]))`,
    ),
  /** One built Call, one Activity and a third of a triple for each tool. */
  all: (project) =>
    head + [uses.built, uses.activity, uses.group].map((use) => use(project).slice(head.length)).join('\n'),
}

function lines(items, line) {
  return items.map(line).join('\n')
}

function literal(name, parameters) {
  return json({ _tool: name, ...parameters })
}

function triples(values) {
  return Array.from({ length: Math.floor(values.length / 3) }, (_, index) =>
    values.slice(index * 3, index * 3 + 3),
  )
}

const text = { type: 'string' }
const reading = {
  type: 'object',
  required: ['value', 'unit'],
  properties: { value: { type: 'number' }, unit: text },
}

/** A project of two tools that pass things on, for plans of any length. */
export async function makePlanProject() {
  const folder = join(cache, 'plan')
  const measure = { name: 'measure', parameters: { place: text, _outputPath: text }, output: reading }
  const convert = {
    name: 'convert',
    parameters: { from: reading, to: text, _outputPath: text },
    output: reading,
  }
  const tools = [measure, convert].map(({ name, parameters, output }) => {
    const required = Object.keys(parameters).filter((key) => key !== '_outputPath')
    return toolSchema({ name, description: name, parameters: { properties: parameters, required }, output })
  })
  mkdirSync(join(folder, 'definitions'), { recursive: true })
  writeFileSync(join(folder, 'definitions/tools.json'), JSON.stringify(tools))
  await generated(folder)
  return { folder }
}

/** A project of one tool that declares what its contexts hold, so that References are checked. */
export async function makeContextProject() {
  const folder = join(cache, 'context')
  mkdirSync(join(folder, 'definitions'), { recursive: true })
  linkPackage(folder)
  writeFileSync(join(folder, 'definitions/all.ts'), contextDefinitions)
  await generated(folder)
  return { folder }
}

function linkPackage(folder) {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  const self = join(folder, 'node_modules/callsheet')
  rmSync(self, { force: true })
  symlinkSync(root, self)
}

const contextDefinitions = `import { defineContext, tool } from 'callsheet'
import { Type } from 'typebox'
const User = Type.Object({ name: Type.String(), age: Type.Optional(Type.Number()) })
export const context = defineContext({ state: Type.Object({ users: Type.Array(User), me: User }) })
export const greet = tool('greet', { name: Type.String(), times: Type.Integer(), _output: Type.String() })
`

/** So many built Calls with a Reference each, all different. */
export function contextSource(calls) {
  const built = Array.from(
    { length: calls },
    (_, index) => `calls.greet({ name: '†state.users.${index}.name', times: 1 })`,
  )
  return `import { calls } from './generated/index.js'\nexport const built: object[] = [\n${built.join(',\n')},\n]\n`
}

/** A plan of so many steps, each of which reads what the one before it wrote. */
export function planSource(steps, form) {
  const literals = Array.from({ length: steps }, (_, index) =>
    index === 0
      ? `{ _tool: 'measure', place: 'here', _outputPath: '†state.step0' }`
      : `{ _tool: 'convert', from: '†state.step${index - 1}', to: '†state.step${index - 1}.unit', _outputPath: '†state.step${index}' }`,
  )
  const plan =
    form === 'array'
      ? `plan([\n${literals.join(',\n')}\n])`
      : `plan()\n${literals.map((each) => `.step(${each})`).join('\n')}`
  return `import { plan } from './generated/index.js'\nexport const made = ${plan}\n`
}
