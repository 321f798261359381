import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { type ConfigOptions, loadConfig } from '../config/load-config.ts'
import { contractHash } from '../emit/contract-file.ts'
import { findTokenCounter } from '../explain/token-counter.ts'
import { findingText } from '../findings/finding-text.ts'
import { hasError } from '../findings/has-error.ts'
import { GeneratorError } from '../generator-error.ts'
import type { Change, ChangeClass, Order, Verdict } from './change.ts'
import { changeClasses, orders } from './change.ts'
import { type ComparedTool, compareSets } from './compare/compare-sets.ts'
import { worst } from './compare/make-change.ts'
import { type DialectComparison, dialectChanges } from './dialects/dialect-changes.ts'
import { type Exception, excuseSets } from './exceptions.ts'
import { pairSets } from './pair-sets.ts'
import { definitionSets } from './read/definition-sets.ts'
import { earlierSets } from './read/earlier-sets.ts'
import { readVessels, type VesselFinding } from './vessels.ts'

/** Options of {@link diff}. */
export interface DiffOptions extends ConfigOptions {
  /** A git ref, a folder, or a tarball of `npm pack`. */
  readonly against: string
  /** Which side is deployed first. Default: `together`. */
  readonly order?: Order | undefined
  /** The classes of changes that make `ok` false. Default: `wire`. */
  readonly failOn?: readonly ChangeClass[] | undefined
  /** A folder of recorded Vessels to check against the current contract. */
  readonly vessels?: string | undefined
}

/** The changes of one set of definitions. */
export interface DiffedSet {
  /** The output folder, which names the set. */
  readonly output: string
  readonly tools: number
  readonly unchanged: number
  readonly changes: readonly Change[]
  readonly dialects: readonly DialectComparison[]
  /** The earlier hash of each Tool with wire changes. In its option `contracts`, a worker accepts it as well. */
  readonly contracts: Readonly<Record<string, string>>
}

/** The changes of a contract and their consequences. */
export interface DiffReport {
  /** False if a change of a class in `failOn` is neither safe in the chosen order nor excused. */
  readonly ok: boolean
  readonly against: string
  /** The source of the earlier state. */
  readonly from: 'generated' | 'definitions'
  readonly order: Order
  readonly failOn: readonly ChangeClass[]
  /** Whether each order of deployment is safe. */
  readonly verdicts: Readonly<Record<Order, Verdict>>
  readonly sets: readonly DiffedSet[]
  readonly staleExceptions: readonly Exception[]
  readonly vessels: readonly VesselFinding[]
}

/**
 * Compares the contract with an earlier state and reports the changes, whom they affect, and what breaks in which order of
 * deployment (DIFF-1 to DIFF-5). Writes nothing.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 * @example
 * const { ok, verdicts } = await diff({ against: 'origin/main' })
 */
export async function diff(options: DiffOptions): Promise<DiffReport> {
  const { against, order = 'together', failOn = ['wire'] } = options
  const config = await loadConfig(options)
  const [now, earlier] = [
    await definitionSets(options),
    await earlierSets(config.root, resolve(options.cwd ?? '.'), against),
  ]
  if (hasError(now.findings))
    throw wrongDefinitions(now.findings.filter(({ severity }) => severity === 'error'))
  const isGone = (output: string): boolean => !existsSync(resolve(config.root, output))
  const count = await findTokenCounter(config.root)
  const sets = pairSets(earlier.sets, now.sets, isGone).map(({ output, before, after }): DiffedSet => {
    const { changes, changed, unchanged } = compareSets(before, after)
    const settings = config.sets.find((set) => set.output === output) ?? config.sets[0]
    const isSame = changes.length === 0 || !settings
    const { changes: inDialects, comparisons } = isSame
      ? { changes: [], comparisons: [] }
      : dialectChanges(before, after, settings, count)
    return {
      output,
      tools: after.tools.length,
      unchanged,
      changes: sorted([...changes, ...inDialects]),
      dialects: comparisons,
      contracts: earlierHashes(changed),
    }
  })
  const { sets: shown, stale } = excuseSets(sets, config.sets)
  const counted = shown.flatMap(({ changes }) => changes).filter(({ excused }) => excused === undefined)
  return {
    ok: !counted.some((change) => failOn.includes(change.class) && counts(change, order)),
    against: earlier.name,
    from: earlier.from,
    order,
    failOn,
    verdicts: verdictsOf(counted),
    sets: shown,
    staleExceptions: stale,
    vessels:
      options.vessels === undefined
        ? []
        : readVessels(resolve(options.cwd ?? '.', options.vessels), now.sets),
  }
}

function earlierHashes(changed: readonly ComparedTool[]): Record<string, string> {
  const hashes = changed
    .filter(({ before, after }) => before.name === after.name)
    .map(
      ({ before, after }) => [before.name, contractHash(before.schema), contractHash(after.schema)] as const,
    )
  return Object.fromEntries(hashes.flatMap(([name, was, is]) => (was === is ? [] : [[name, was]])))
}

/** Whether a change needs an exception in an order of deployment: wire changes only if unsafe, all others always. */
export function counts(change: Change, order: Order): boolean {
  return change.class !== 'wire' || change.verdicts[order] !== 'safe'
}

function verdictsOf(changes: readonly Change[]): Record<Order, Verdict> {
  return Object.fromEntries(
    orders.map((order) => [order, worst(changes.map(({ verdicts }) => verdicts[order]))]),
  ) as Record<Order, Verdict> // safe cast: the same keys, which `Object.fromEntries` types as strings
}

/** Sorts by Tool, then by class, most severe first. */
function sorted(changes: readonly Change[]): Change[] {
  const rank = ({ class: kind }: Change): number => changeClasses.indexOf(kind)
  return [...changes].sort(
    (left, right) =>
      Number(left.tool === undefined) - Number(right.tool === undefined) ||
      byCodeUnit(left.tool ?? '', right.tool ?? '') ||
      rank(left) - rank(right) ||
      byCodeUnit(left.path, right.path) ||
      byCodeUnit(left.title, right.title),
  )
}

function wrongDefinitions(findings: Parameters<typeof findingText>[0][]): GeneratorError {
  return new GeneratorError(
    'cannot_read',
    findings.map((finding) => ({
      message: findingText(finding).split('\n')[0] ?? '',
      fix: `${finding.fix} Only valid definitions can be compared.`,
    })),
  )
}
