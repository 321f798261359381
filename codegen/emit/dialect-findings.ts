import type { DialectName } from '../../runtime/dialects/dialect-name.ts'
import type { CallsheetError } from '../../runtime/errors.ts'
import type { Usage } from '../../runtime/lower/usage.ts'
import { grouped } from '../../runtime/problems/grouped.ts'
import { definitionDepth } from '../build/definition-depth.ts'
import type { Finding, Model, ToolModel } from '../model.ts'

/**
 * Reports the usage of a limit: a warning near it or beyond an observed one, an error beyond a documented one. A composed
 * schema is sent whole. Of native tools a Request may offer a part, so those are an error only if a single Tool is too large.
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

/** Reports that mode `auto` switched to native tools. */
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

/** Reports a native tool that a provider does not enforce, since it exceeds one of the limits by itself. */
export function notStrict(dialect: DialectName, name: string, model: Model): Finding {
  return {
    rule: 'dialect-not-strict',
    severity: 'warning',
    message: `Dialect ${dialect}: Tool "${name}" exceeds a limit by itself, so it is not strict: the provider does not enforce its schema. Its Calls are checked before they run.`,
    fix: 'Simplify it, or offer it as it is. callsheet lint shows the limits.',
    ...placeOf(model.tools.find((tool) => tool.name === name)),
  }
}

/** Reports that a dialect has no native tools. */
export function noNativeTools(dialect: DialectName, having: readonly string[]): Finding {
  return {
    rule: 'dialect-without-native',
    severity: 'error',
    message: `Dialect ${dialect} is configured with mode "native", and it has no native tools.`,
    fix: `Use mode "auto" or "composed" for it. Dialects with native tools: ${having.join(', ')}.`,
  }
}

/** Reports each location that a dialect cannot express. */
export function unsupported(error: CallsheetError, dialect: DialectName, model: Model): Finding[] {
  const problems = error.problems ?? []
  const places = problems.length > 0 ? problems : [{ path: '', message: error.message }]
  return places.map(({ path, message }) => {
    const tool = path === '/$defs' ? deepestTool(model) : toolAt(path, model)
    // The path within the Tool: the position of its branch means nothing in a definition.
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

/** Matches the branch of a Tool in a composed schema. */
const branch = /^\/properties\/calls\/items\/anyOf\/(\d+)/

function figures({ limit, value, max, source, reviewedAt, shares }: Usage): string {
  const heavy = shares.slice(0, 3).map(({ tool, value: share }) => `${tool} ${grouped(share)}`)
  const weight = heavy.length > 0 ? ` Most of it: ${heavy.join(', ')}.` : ''
  return `${limit}: ${grouped(value)} of ${grouped(max)} (${source}, read ${reviewedAt}).${weight}`
}

/** Suggests a fix, the cheapest first: the mode in the configuration, if the provider has native tools. */
function wayOut({ dialect, advice = '', status, severity }: Usage, canBeNative: boolean): string {
  if (status === 'near') return 'Nothing yet. Beyond the limit, simplify these Tools or offer fewer at once.'
  if (!canBeNative) return advice
  // `auto` respects documented limits only, since an observed one may not be real.
  const mode = severity === 'documented' ? 'auto' : 'native'
  const auto = `Configure { dialect: '${dialect}', mode: '${mode}' }: generation then lists native tools instead.`
  return advice === '' ? auto : `${auto} Or make it fit: ${advice}`
}

/** Suggests a fix for native tools: offering fewer of them always helps. */
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
  // Disabled Tools have no branch.
  const composed = model.tools.filter(({ schema }) => schema.enabled !== false)
  return index === undefined ? undefined : composed[Number(index)]
}

/** Finds the Tool with the longest chain of definitions, to name it if the chain is too long. */
function deepestTool({ tools, definitions }: Model): ToolModel | undefined {
  const depth = ({ schema }: ToolModel): number => definitionDepth({ ...schema, $defs: definitions })
  return tools.toSorted((left, right) => depth(right) - depth(left))[0]
}

function placeOf(tool: ToolModel | undefined): Pick<Finding, 'at' | 'tool'> {
  return tool ? { at: tool.at, tool: tool.name } : {}
}
