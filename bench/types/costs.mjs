// Instantiations by use, over what the tools cost that nobody uses.
import { countInstantiations } from './count-instantiations.mjs'
import { contextSource, makeContextProject, makePlanProject, makeProject, planSource } from './project.mjs'
import { wrongCodeCosts } from './wrong-code.mjs'

const [few, many] = [10, 100]

/** What each figure is called, and the name of its use. */
const names = {
  built: 'one more tool, built and called',
  literal: 'one more tool, called as a literal',
  activity: 'one more tool, implemented',
  group: 'one more tool, a third of a Tool.all of three',
}

/** @returns {Promise<Record<string, number>>} */
export async function typeCosts() {
  const projects = [await makeProject(few), await makeProject(many)]
  const perTool = (use) => {
    const [least, most] = projects.map((project) => countInstantiations(project, use))
    return (most - least) / (many - few)
  }
  const declared = perTool('none')
  const uses = Object.entries(names).map(([use, name]) => [name, tenths(perTool(use) - declared)])
  const plans = await makePlanProject()
  const context = await makeContextProject()
  const calls = (count) => countInstantiations(context, contextSource(count))
  return {
    'one more tool, declared': tenths(declared),
    ...Object.fromEntries(uses),
    'one more built call with a Reference, context declared': tenths(
      (calls(many) - calls(few)) / (many - few),
    ),
    'plan of 100 steps, chained': countInstantiations(plans, planSource(100, 'chain')),
    'plan of 100 steps, listed': countInstantiations(plans, planSource(100, 'array')),
    ...(await wrongCodeCosts()),
  }
}

function tenths(value) {
  return Math.round(value * 10) / 10
}
