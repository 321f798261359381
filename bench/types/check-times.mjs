// Seconds of checking, the best of a few runs: what else a machine does only ever adds.
import { compile } from './compile.mjs'
import { makePlanProject, makeProject, planSource } from './project.mjs'

/** The best of so many runs. */
function best(runs, ...given) {
  return Math.min(...Array.from({ length: runs }, () => compile(...given).seconds))
}

/** @returns {Promise<Record<string, number>>} */
export async function checkTimes() {
  const [ten, hundred, thousand] = [await makeProject(10), await makeProject(100), await makeProject(1000)]
  const full = {
    10: best(3, ten, 'all', '7.0'),
    100: best(5, hundred, 'all', '7.0'),
    1000: best(3, thousand, 'all', '7.0'),
  }
  return {
    '1,000 tools, one built Call each, TypeScript 7': best(3, thousand, 'built', '7.0'),
    '1,000 tools, one literal Call each, TypeScript 7': best(3, thousand, 'literal', '7.0'),
    '1,000 tools, one literal Call each, TypeScript 6': best(2, thousand, 'literal', '6.0'),
    '10 tools in full use, TypeScript 7': full[10],
    '100 tools in full use, TypeScript 7': full[100],
    '1,000 tools in full use, TypeScript 7': full[1000],
    '1,000 tools in full use, times 100 tools, TypeScript 7': Math.round((full[1000] / full[100]) * 10) / 10,
  }
}

/** @returns {Promise<Record<string, number>>} */
export async function planTimes() {
  const project = await makePlanProject()
  const time = (form) => best(5, project, planSource(100, form), '7.0')
  return { 'chained, TypeScript 7': time('chain'), 'listed, TypeScript 7': time('array') }
}
