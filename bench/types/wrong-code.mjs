// What wrong code costs the compiler beside the same code put right (TYPE-7): while somebody types, code is wrong. Counted
// are the instantiations of checking one line, in a project of a hundred and of a thousand tools, with a declared context
// and without.

import { lineCounter } from './line-counter.mjs'
import { makeProject } from './project.mjs'

const sizes = [100, 1000]

/**
 * The most instantiations that a wrong line costs over the right one, by project: a number that must not grow with the
 * number of tools.
 *
 * @returns {Promise<Record<string, number>>}
 */
export async function wrongCodeCosts() {
  const found = {}
  for (const size of sizes) {
    for (const declaresContext of [false, true]) {
      const project = await makeProject(size, declaresContext)
      const count = lineCounter(project.folder, 'typescript-5.9')
      const surplus = Object.values(misuseLines(project, declaresContext)).map(
        ({ right, wrong }) => count(wrong, false) - count(right, true),
      )
      const where = `${size} tools, ${declaresContext ? 'context declared' : 'no context'}`
      found[`one wrong line over the right one, ${where}`] = Math.max(...surplus)
    }
  }
  return found
}

/** Right lines and wrong ones by kind, of a tool in the middle of the list. */
export function misuseLines({ values, tools }, declaresContext) {
  const at = Math.floor(values.length / 2)
  const [{ name, parameters, output }, other] = [values[at], values[at + 1]]
  const [first] = tools[at].parameters.required
  const { [first]: value, ...rest } = parameters
  const misspelt = { [`${first}x`]: value, ...rest }
  const mistyped = { ...parameters, [first]: { not: 'this' } }
  const literal = (given, of = name) => JSON.stringify({ _tool: of, ...given })
  const built = (given, of = name) => `calls.${of}(${JSON.stringify(given)})`
  const beside = `calls.${other.name}(${JSON.stringify(other.parameters)})`
  const forms = {
    literal: (given, of) => `Tool(${literal(given, of)})`,
    'built Call': (given, of) => `Tool(${built(given, of)})`,
    'Tool.all': (given, of) => `Tool.all([${beside}, ${literal(given, of)}])`,
    plan: (given, of) => `plan([${beside}, ${literal(given, of)}])`,
  }
  const found = {}
  for (const [form, source] of Object.entries(forms)) {
    found[`${form}, misspelt`] = { right: source(parameters), wrong: source(misspelt) }
    found[`${form}, mistyped`] = { right: source(parameters), wrong: source(mistyped) }
    found[`${form}, missing`] = { right: source(parameters), wrong: source(rest) }
  }
  const activity = (given, of = name) =>
    `Activity.register('${of}', async (call, tool) => { void [call, tool]; return ${given} })`
  const [result] = Object.keys(output)
  found['Activity, wrong output'] = {
    right: activity(JSON.stringify(output)),
    wrong: activity(JSON.stringify({ ...output, [result]: { not: 'this' } })),
  }
  found['Activity, misspelt name'] = {
    right: activity(JSON.stringify(output)),
    wrong: activity(JSON.stringify(output), `${name}x`),
  }
  const [chosen, choice] = toolWithChoice(tools, at)
  const constant = (form) => (given) =>
    forms[form]({ ...values[chosen].parameters, [choice]: given }, values[chosen].name)
  const [fitting] = tools[chosen].parameters.properties[choice].enum
  for (const form of Object.keys(forms)) {
    found[`${form}, wrong constant`] = {
      right: constant(form)(fitting),
      wrong: constant(form)('none of these'),
    }
  }
  if (declaresContext) {
    const reference = (path) => `Tool({ _tool: 'benchNote', text: '†state.user.${path}' })`
    found.Reference = { right: reference('name'), wrong: reference('nmae') }
  }
  return found
}

/** The first tool from an index on with a parameter that takes some texts alone, and the name of that parameter. */
function toolWithChoice(tools, from) {
  for (let index = from; index < tools.length; index++) {
    const { properties } = tools[index].parameters
    const choice = Object.keys(properties).find((key) => properties[key].enum)
    if (choice) return [index, choice]
  }
  throw new Error('No tool takes a constant.')
}
