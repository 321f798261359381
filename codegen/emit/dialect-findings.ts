import type { DialectName } from '../../runtime/dialects/dialect-name.ts'
import type { CallsheetError } from '../../runtime/errors.ts'
import type { Usage } from '../../runtime/lower/usage.ts'
import { grouped } from '../../runtime/problems/grouped.ts'
import { definitionDepth } from '../build/definition-depth.ts'
import type { Finding, Model, ToolModel } from '../model.ts'

/**
 * What is said of one limit: nothing while it is far, a warning near it or past an observed one, an error past a
 * documented one. A composed schema goes out whole; of native tools a Request may offer some, so that they are wrong only
 * where a single Tool is already too much.
 */
export function limitFinding(
  usage: Usage,
  { use, hasNativeTools }: { readonly use: 'composed' | 'native'; readonly hasNativeTools: boolean },
  model: Model,
): Finding[] {
  const { dialect, status, severity, shares, max } = usage
  if (status === 'ok') return []
  const heaviestShare = shares[0]?.value ?? 0
  const isTooMuch = use === 'composed' || heaviestShare > max
  const isError = status === 'over' && severity === 'documented' && isTooMuch
  const as = use === 'composed' ? 'as one composed schema' : 'as native tools'
  const state =
    status === 'near' ? 'come near a limit' : `pass ${severity === 'documented' ? 'a' : 'an observed'} limit`
  return [
    {
      rule: status === 'near' ? 'dialect-limit-near' : 'dialect-limit',
      severity: isError ? 'error' : 'warning',
      message: `Dialect ${dialect}: the Tools, ${as}, ${state}. ${figures(usage)}`,
      fix: use === 'native' ? wayOutOfNative(usage) : wayOut(usage, hasNativeTools),
      ...heaviest(usage, model),
    },
  ]
}

/** What is said when mode `auto` goes over to native tools. */
export function usesNativeTools(usage: Usage, path: string, model: Model): Finding {
  const { dialect, advice = '' } = usage
  return {
    rule: 'dialect-native',
    severity: 'note',
    message: `Dialect ${dialect}: one composed schema passes a limit, so ${path} lists native tools instead. ${figures(usage)}`,
    fix: `Nothing, if native tools are what you want. ${advice}`.trim(),
    ...heaviest(usage, model),
  }
}

/** What is said when native tools are asked of a dialect that has none. */
export function noNativeTools(dialect: DialectName, having: readonly string[]): Finding {
  return {
    rule: 'dialect-without-native',
    severity: 'error',
    message: `Dialect ${dialect} is configured with mode "native", and it has no native tools.`,
    fix: `Use mode "auto" or "composed" for it. Dialects with native tools: ${having.join(', ')}.`,
  }
}

/** What a dialect has no way to say, a finding for each place. */
export function unsupported(error: CallsheetError, dialect: DialectName, model: Model): Finding[] {
  const problems = error.problems ?? []
  const places = problems.length > 0 ? problems : [{ path: '', message: error.message }]
  return places.map(({ path, message }) => {
    const tool = path === '/$defs' ? deepestTool(model) : toolAt(path, model)
    // Of a Tool's own schema: where its branch stands is nothing that a definition says.
    const place = tool === undefined ? path : path.replace(branch, '')
    const what = tool === undefined ? 'it' : `Tool "${tool.name}"`
    const why = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message
    return {
      rule: 'dialect-unsupported',
      severity: 'error',
      message: `Dialect ${dialect} cannot say ${what}, at ${place || 'the root'}: ${why}`,
      fix: 'Declare it another way, or leave this dialect out of the configuration.',
      ...placeOf(tool),
    }
  })
}

/** Where a Tool stands in a composed schema. */
const branch = /^\/properties\/calls\/items\/anyOf\/(\d+)/

function figures({ limit, value, max, source, reviewedAt, shares }: Usage): string {
  const heavy = shares.slice(0, 3).map(({ tool, value: share }) => `${tool} ${grouped(share)}`)
  const weight = heavy.length > 0 ? ` Most of it: ${heavy.join(', ')}.` : ''
  return `${limit}: ${grouped(value)} of ${grouped(max)} (${source}, read ${reviewedAt}).${weight}`
}

/** The cheapest first: one word of configuration, where the provider has tools of its own. */
function wayOut({ dialect, advice = '', status, severity }: Usage, canBeNative: boolean): string {
  if (!canBeNative || status !== 'over') return advice
  // An observed limit may not be one: `auto` goes by the documented ones.
  const mode = severity === 'documented' ? 'auto' : 'native'
  const auto = `Configure { dialect: '${dialect}', mode: '${mode}' }: generation then lists native tools instead.`
  return advice === '' ? auto : `${auto} Or make it fit: ${advice}`
}

/** Native tools go one by one, so that fewer of them in a Request is always a way. */
function wayOutOfNative({ shares, max }: Usage): string {
  const tooMuch = shares.filter(({ value }) => value > max).map(({ tool }) => tool)
  return tooMuch.length > 0 ? `Simplify ${tooMuch.join(', ')}.` : 'Offer fewer Tools in one Request.'
}

function heaviest({ shares }: Usage, model: Model): Pick<Finding, 'at' | 'tool'> {
  const named = shares.map(({ tool }) => model.tools.find(({ name }) => name === tool))
  return placeOf(named.find((tool) => tool !== undefined))
}

function toolAt(pointer: string, model: Model): ToolModel | undefined {
  const index = branch.exec(pointer)?.[1]
  // Tools that are off have no branch.
  const composed = model.tools.filter(({ schema }) => schema.enabled !== false)
  return index === undefined ? undefined : composed[Number(index)]
}

/** Where a chain of definitions is too long for all, the one that follows the longest is the first to look at. */
function deepestTool({ tools, definitions }: Model): ToolModel | undefined {
  const depth = ({ schema }: ToolModel): number => definitionDepth({ ...schema, $defs: definitions })
  return tools.toSorted((left, right) => depth(right) - depth(left))[0]
}

function placeOf(tool: ToolModel | undefined): Pick<Finding, 'at' | 'tool'> {
  return tool ? { at: tool.at, tool: tool.name } : {}
}
