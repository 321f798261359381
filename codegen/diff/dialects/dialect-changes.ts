import { toolAt } from '../../../runtime/lower/composed-tools.ts'
import type { Loss } from '../../../runtime/lower/losses.ts'
import { grouped } from '../../../runtime/problems/grouped.ts'
import { type DialectWeight, weighDialect } from '../../budget/weigh.ts'
import type { Settings } from '../../config/settings.ts'
import { type DialectOutput, emitDialects } from '../../emit/dialects.ts'
import type { CountTokens } from '../../explain/token-counter.ts'
import type { Change } from '../change.ts'
import { makeChange } from '../compare/make-change.ts'
import type { ContractSet } from '../contract.ts'
import { modelOf, settingsFor } from './old-model.ts'

/** The sizes of a set in one dialect, before and after. */
export interface DialectComparison {
  readonly dialect: string
  readonly before: DialectWeight | undefined
  readonly after: DialectWeight | undefined
}

/** Compares each configured dialect: limits, losses, sizes (DIFF-1: dialect). */
export function dialectChanges(
  before: ContractSet,
  after: ContractSet,
  settings: Settings,
  count: CountTokens | undefined,
): { readonly changes: Change[]; readonly comparisons: DialectComparison[] } {
  const [was, is] = [before, after].map((set) => emitDialects(modelOf(set), settingsFor(set, settings))) as [
    DialectOutput[],
    DialectOutput[],
  ]
  const counted = count && remembering(count)
  const comparisons = is.map((output, index) => ({
    dialect: output.dialect,
    before: weighed(was[index], before, counted),
    after: weighed(output, after, counted),
  }))
  const changes = is.flatMap((output, index) => [
    ...limitChanges(was[index], output),
    ...modeChange(was[index], output, before.tools.length),
    ...lossChanges(was[index], output, before, after),
  ])
  return { changes: [...changes, ...comparisons.flatMap(sizeChange)], comparisons }
}

function weighed(
  output: DialectOutput | undefined,
  { tools }: ContractSet,
  count: CountTokens | undefined,
): DialectWeight | undefined {
  return (
    output &&
    weighDialect(
      output,
      tools.map(({ name }) => name),
      count,
    )
  )
}

/** Caches token counts: most Tools are equal on both sides. */
function remembering(count: CountTokens): CountTokens {
  const known = new Map<string, number>()
  return (text) => {
    const tokens = known.get(text) ?? count(text)
    known.set(text, tokens)
    return tokens
  }
}

function limitChanges(was: DialectOutput | undefined, is: DialectOutput): Change[] {
  return is.usage.flatMap(({ limit, status, value, max, shares }) => {
    const before = was?.usage.find((usage) => usage.limit === limit)
    if (status !== 'over' || before?.status === 'over') return []
    const most = shares.slice(0, 3).map(({ tool, value: share }) => `${tool} ${grouped(share)}`)
    return [
      setChange(
        `/${is.dialect}/${limit}`,
        ['limit', value, max],
        `Dialect ${is.dialect}: a limit is passed: ${limit} ${grouped(value)} of ${grouped(max)}.`,
        `Its provider may refuse the schema. Most of it: ${most.join(', ')}.`,
      ),
    ]
  })
}

function modeChange(was: DialectOutput | undefined, is: DialectOutput, toolsBefore: number): Change[] {
  if (!was || was.mode === is.mode || toolsBefore === 0) return []
  const title = `Dialect ${is.dialect}: goes out as ${is.mode} instead of ${was.mode}.`
  const facts = ['mode', was.mode, is.mode]
  return [setChange(`/${is.dialect}/mode`, facts, title, 'Requests send another form of the same Tools.')]
}

/** Finds new losses of existing Tools. Those of new Tools are not reported. */
function lossChanges(
  was: DialectOutput | undefined,
  is: DialectOutput,
  before: ContractSet,
  after: ContractSet,
): Change[] {
  const known = new Set((was?.losses ?? []).map((loss) => lossKey(loss, before)))
  const had = new Set(before.tools.map(({ name }) => name))
  const seen = new Set<string>()
  return is.losses.flatMap((loss) => {
    const key = lossKey(loss, after)
    const tool = after.tools.find(({ name }) => name === loss.tool)
    if (known.has(key) || seen.has(key) || loss.enforcedBy === 'none' || !tool || !had.has(tool.name))
      return []
    seen.add(key)
    return [
      makeChange('dialect', tool, {
        path: `/${is.dialect}/${loss.keyword}`,
        pointer: inTool(loss.pointer),
        facts: ['loss', key],
        title: `Dialect ${is.dialect}: \`${loss.keyword}\` is not carried as declared (${loss.action}).`,
        meaning:
          'The provider no longer enforces it while the model writes. The check before the Tool runs still does.',
      }),
    ]
  })
}

/** Identifies a loss by its location in the Tool, since the index of a Tool's branch depends on the other Tools. */
function lossKey({ pointer, keyword, tool, action }: Loss, { tools }: ContractSet): string {
  const named =
    tool ??
    toolAt(
      pointer,
      tools.map(({ name }) => name),
    ) ??
    ''
  return JSON.stringify([named, inTool(pointer), keyword, action])
}

function inTool(pointer: string): string {
  return pointer.replace(/^\/properties\/calls\/items\/anyOf\/\d+/, '')
}

function sizeChange({ dialect, before, after }: DialectComparison): Change[] {
  if (!before || !after || before.bytes === after.bytes) return []
  const hasTokens = before.tokens !== undefined && after.tokens !== undefined
  const [was, is] = hasTokens ? [before.tokens ?? 0, after.tokens ?? 0] : [before.bytes, after.bytes]
  if (was === is) return []
  const unit = hasTokens ? 'tokens' : 'bytes'
  const more = is - was
  return [
    setChange(
      `/${dialect}/${unit}`,
      ['size', was, is],
      `Dialect ${dialect}: ${grouped(was)} → ${grouped(is)} ${unit} (${signed(more)}).`,
      more > 0 ? 'Each Request costs that much more.' : 'Each Request costs that much less.',
    ),
  ]
}

/** Prints a number with its sign. */
export function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : '±'}${grouped(Math.abs(value))}`
}

function setChange(path: string, facts: readonly unknown[], title: string, meaning: string): Change {
  return makeChange('dialect', undefined, { path, pointer: '', title, facts, meaning })
}
