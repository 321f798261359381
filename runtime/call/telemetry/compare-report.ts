import type { Call } from '../../context/message.ts'
import { isSameJson } from '../../json/same-json.ts'
import { aFunction, fromZero, withMethods } from '../../problems/field-rule.ts'
import { requireArgument, requireOptionsOf } from '../../problems/option-problems.ts'
import { yesOrNo } from '../../problems/wrong-answer.ts'
import { addUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import type { Events } from '../events.ts'
import type { Outcome } from '../outcome.ts'

/** Emits comparisons: the `Tool` of a registry. */
export interface ComparingTools {
  on(event: 'activity:compare', listener: (pair: Events['activity:compare']) => void): () => void
}

/** Options of `compareReport`. */
export interface CompareReportOptions {
  /**
   * Decides whether two outputs agree. Default: equal JSON. If it throws, the error goes to `listener:error` and the
   * pair is skipped.
   */
  readonly agree?: ((primary: unknown, shadow: unknown, call: Call) => boolean) | undefined
  /** How many disagreements are kept for each comparison: the first ones. Default: 10. */
  readonly examples?: number | undefined
}

/** Figures of one of the two implementations. */
export interface ComparedSide {
  /** `default`, a variant's name, or `latent`. */
  readonly variant: string
  readonly failures: number
  /** Number of failures by error code. */
  readonly codes: Readonly<Record<string, number>>
  /** Milliseconds: the total of all Calls, and the median and 95th percentile of the last thousand. */
  readonly time: { readonly total: number; readonly median: number; readonly p95: number }
  /** Tokens that Activities and models reported with `spend`. */
  readonly usage: TokenUsage
}

/** Two implementations of one Tool, side by side. */
export interface Comparison {
  readonly tool: string
  /** Number of pairs that succeeded or failed; cancelled and refused ones do not count. */
  readonly runs: number
  readonly primary: ComparedSide
  readonly shadow: ComparedSide
  /** Number of pairs in which both succeeded. */
  readonly bothSucceeded: number
  /** Number of those whose outputs agree. */
  readonly agreed: number
  /** `agreed / bothSucceeded`, from 0 to 1; null while there is nothing to compare. */
  readonly agreement: number | null
  readonly examples: readonly Disagreement[]
}

/** A Call for which the two implementations returned different outputs. */
export interface Disagreement {
  readonly call: Call
  readonly primary: unknown
  readonly shadow: unknown
}

/** Figures of a rollout, updated while Calls are compared. */
export interface CompareReport {
  /** Returns one entry for each Tool and pair of implementations, in the order in which they were first compared. */
  figures(): Comparison[]
  /** Returns the figures as a Markdown table. */
  markdown(): string
  /** Stops counting. */
  stop(): void
}

/** How many durations are remembered for the median and the 95th percentile. */
const remembered = 1000

/**
 * Collects the results of `compare` policies (ACT-5): for each Tool and pair of implementations the runs, the failures,
 * the time and tokens of each side, and how often the outputs agree.
 *
 * @example
 * const report = compareReport(Tool)
 * await Tool(call, { policy: { search: { compare: ['default', 'v2'] } } })
 * // … later, when the comparisons have ended
 * report.figures()[0]?.agreement // 0.98
 */
export function compareReport(tools: ComparingTools, options: CompareReportOptions = {}): CompareReport {
  requireArgument(
    'compareReport',
    tools,
    withMethods('the Tool of a registry, such as `generated/` exports', 'on'),
  )
  requireOptionsOf('compareReport', options, { agree: aFunction, examples: fromZero })
  const { agree = isSameJson, examples = 10 } = options
  const pairs = new Map<string, Pair>()
  const stop = tools.on('activity:compare', ({ primary, shadow }) => {
    if (!hasEnded(primary) || !hasEnded(shadow)) return
    const bothSucceeded = primary.status === 'succeeded' && shadow.status === 'succeeded'
    const isAgreed = bothSucceeded && yesOrNo('`agree`', agree(primary.output, shadow.output, primary.call))
    const key = JSON.stringify([primary.tool, variantOf(primary), variantOf(shadow)])
    const pair = pairs.get(key) ?? new Pair(primary, shadow)
    pairs.set(key, pair)
    pair.add(primary, shadow, bothSucceeded, isAgreed, examples)
  })
  const figures = (): Comparison[] => [...pairs.values()].map((pair) => pair.figures())
  return { figures, stop, markdown: () => markdownOf(figures()) }
}

/** Returns false for cancelled and refused Calls: they say nothing about an implementation. */
function hasEnded({ status }: Outcome): boolean {
  return status === 'succeeded' || status === 'failed'
}

function variantOf({ mode, variant = 'default' }: Outcome): string {
  return mode === 'latent' ? 'latent' : variant
}

class Pair {
  readonly #tool: string
  readonly #primary: Side
  readonly #shadow: Side
  readonly #examples: Disagreement[] = []
  #runs = 0
  #bothSucceeded = 0
  #agreed = 0

  constructor(primary: Outcome, shadow: Outcome) {
    this.#tool = primary.tool
    this.#primary = new Side(variantOf(primary))
    this.#shadow = new Side(variantOf(shadow))
  }

  add(primary: Outcome, shadow: Outcome, bothSucceeded: boolean, isAgreed: boolean, examples: number): void {
    this.#runs++
    this.#primary.add(primary)
    this.#shadow.add(shadow)
    if (!bothSucceeded) return
    this.#bothSucceeded++
    if (isAgreed) this.#agreed++
    else if (this.#examples.length < examples) {
      this.#examples.push({ call: primary.call, primary: primary.output, shadow: shadow.output })
    }
  }

  figures(): Comparison {
    return {
      tool: this.#tool,
      runs: this.#runs,
      primary: this.#primary.figures(),
      shadow: this.#shadow.figures(),
      bothSucceeded: this.#bothSucceeded,
      agreed: this.#agreed,
      agreement: this.#bothSucceeded === 0 ? null : this.#agreed / this.#bothSucceeded,
      examples: [...this.#examples],
    }
  }
}

class Side {
  readonly #variant: string
  readonly #codes = new Map<string, number>()
  readonly #durations: number[] = []
  #count = 0
  #total = 0
  #usage: TokenUsage = noUsage

  constructor(variant: string) {
    this.#variant = variant
  }

  add({ status, error, startedAt, endedAt, usage = noUsage }: Outcome): void {
    const duration = endedAt - startedAt
    this.#durations[this.#count++ % remembered] = duration
    this.#total += duration
    this.#usage = addUsage(this.#usage, usage)
    if (status !== 'failed') return
    const code = error?.code ?? 'internal'
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1)
  }

  figures(): ComparedSide {
    const sorted = this.#durations.toSorted((left, right) => left - right)
    const within = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
    return {
      variant: this.#variant,
      failures: [...this.#codes.values()].reduce((sum, count) => sum + count, 0),
      codes: Object.fromEntries(this.#codes),
      time: { total: this.#total, median: within(0.5), p95: within(0.95) },
      usage: this.#usage,
    }
  }
}

const columns = ['Tool', 'Implementation', 'Runs', 'Failures', 'Median ms', 'p95 ms', 'Tokens', 'Agreement']

function markdownOf(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap(({ tool, runs, primary, shadow, agreement }) => [
    row(tool, primary, runs, ''),
    row('', shadow, runs, agreement === null ? 'none to compare' : `${(agreement * 100).toFixed(1)} %`),
  ])
  const lines = [columns, columns.map(() => '---'), ...rows]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

function row(
  tool: string,
  { variant, failures, time, usage }: ComparedSide,
  runs: number,
  agreement: string,
): string[] {
  const cells = [tool, variant, runs, failures, time.median, time.p95, usage.in + usage.out, agreement]
  return cells.map((cell) => String(cell).replaceAll('|', '\\|'))
}
