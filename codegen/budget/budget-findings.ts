import { grouped } from '../../runtime/problems/grouped.ts'
import type { Budget, WeightLimits } from '../config/contract-options.ts'
import type { Finding, Model } from '../model.ts'
import type { DialectWeight } from './weigh.ts'

/** Returns a finding for each exceeded limit of the budget (DIFF-6), naming the largest Tools. */
export function budgetFindings(weights: readonly DialectWeight[], budget: Budget, model: Model): Finding[] {
  const found = weights.flatMap((weight) => {
    const { dialects = {}, ratchet: _, ...common } = budget
    // Limits of one dialect override those of all dialects.
    const own: WeightLimits = dialects[weight.dialect] ?? {}
    const limits: WeightLimits = { ...common, ...own }
    const pathOf: PathOf = (name) =>
      own[name] === undefined ? `budget.${name}` : `budget.dialects.${weight.dialect}.${name}`
    return [...inAll(weight, limits, pathOf, model), ...perTool(weight, limits, pathOf, model)]
  })
  return [...found, ...notGenerated(weights, budget), ...notCounted(weights, budget)]
}

/** Where in the configuration a limit stands. */
type PathOf = (limit: keyof WeightLimits) => string

function inAll(weight: DialectWeight, limits: WeightLimits, pathOf: PathOf, model: Model): Finding[] {
  return (['tokens', 'bytes'] as const).flatMap((unit): Finding[] => {
    const [value, most] = [weight[unit], limits[unit]]
    if (value === undefined || most === undefined || value <= most) return []
    return [
      {
        rule: 'budget',
        severity: 'error',
        message: `Dialect ${weight.dialect}: the Tools weigh ${grouped(value)} ${unit}, and the budget is ${grouped(most)}.${heaviestText(weight, unit)}`,
        fix: `Shorten the largest Tools, or raise ${pathOf(unit)} in the configuration.`,
        ...placeOf(weight.tools[0]?.tool, model),
      },
    ]
  })
}

function perTool(weight: DialectWeight, limits: WeightLimits, pathOf: PathOf, model: Model): Finding[] {
  return (['tokens', 'bytes'] as const).flatMap((unit) => {
    const option = unit === 'tokens' ? 'toolTokens' : 'toolBytes'
    const most = limits[option]
    if (most === undefined) return []
    return weight.tools.flatMap(({ tool, [unit]: value }): Finding[] => {
      if (value === undefined || value <= most) return []
      return [
        {
          rule: 'budget',
          severity: 'error',
          message: `Dialect ${weight.dialect}: ${tool} weighs ${grouped(value)} ${unit}, and the budget of a Tool is ${grouped(most)}.`,
          fix: `Shorten it (callsheet explain ${tool} shows it), or raise ${pathOf(option)} in the configuration.`,
          ...placeOf(tool, model),
        },
      ]
    })
  })
}

/** A sentence that names the three largest Tools. */
export function heaviestText({ tools }: DialectWeight, unit: 'tokens' | 'bytes'): string {
  const most = tools.slice(0, 3).map((tool) => `${tool.tool} ${grouped(tool[unit] ?? 0)}`)
  return most.length === 0 ? '' : ` Most of it: ${most.join(', ')}.`
}

/** Returns the source position of a Tool, for a finding about it. */
export function placeOf(name: string | undefined, model: Model): Pick<Finding, 'at' | 'tool'> {
  const tool = model.tools.find((each) => each.name === name)
  return tool ? { at: tool.at, tool: tool.name } : {}
}

/** Without it, a limit of a dialect that the configuration does not list would seem to be kept. */
function notGenerated(weights: readonly DialectWeight[], { dialects = {} }: Budget): Finding[] {
  const missing = Object.keys(dialects).filter((name) => weights.every(({ dialect }) => dialect !== name))
  return missing.map((name) => ({
    rule: 'budget-not-counted',
    severity: 'warning',
    message: `The budget limits dialect ${name}, in which nothing is generated, so these limits are not checked.`,
    fix: `Add '${name}' to \`dialects\` in the configuration, or remove budget.dialects.${name}.`,
  }))
}

function notCounted(weights: readonly DialectWeight[], budget: Budget): Finding[] {
  const limits: readonly WeightLimits[] = [budget, ...Object.values(budget.dialects ?? {})]
  const asksForTokens = limits.some(({ tokens, toolTokens }) => (tokens ?? toolTokens) !== undefined)
  if (!asksForTokens || weights.every(({ tokens }) => tokens !== undefined)) return []
  return [
    {
      rule: 'budget-not-counted',
      severity: 'note',
      message:
        'The budget limits tokens, but no tokenizer is installed to count them. Only limits in bytes are checked.',
      fix: 'npm install --save-dev gpt-tokenizer',
    },
  ]
}
