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
import { type Exception, excuse } from './exceptions.ts'
import { pairSets } from './pair-sets.ts'
import { definitionSets } from './read/definition-sets.ts'
import { earlierSets } from './read/earlier-sets.ts'
import { readVessels, type VesselFinding } from './vessels.ts'

/** What to compare with, and what counts. */
export interface DiffOptions extends ConfigOptions {
  /** A git ref, a folder, or a tarball of `npm pack`. */
  readonly against: string
  /** Which side is deployed first. Default: `together`. */
  readonly order?: Order | undefined
  /** The classes of changes that are not in order. Default: `wire`. */
  readonly failOn?: readonly ChangeClass[] | undefined
  /** A folder of recorded Vessels, to be held against the contract as it is now. */
  readonly vessels?: string | undefined
}

/** What changed in one set of definitions. */
export interface DiffedSet {
  /** The output folder, which names the set. */
  readonly output: string
  readonly tools: number
  readonly unchanged: number
  readonly changes: readonly Change[]
  readonly dialects: readonly DialectComparison[]
  /** The earlier hash of each Tool that is another one on the wire now: `contracts` tells a worker to serve it as well. */
  readonly contracts: Readonly<Record<string, string>>
}

/** What changed in a contract, and what that means. */
export interface DiffReport {
  /** False when a change of a class that counts is neither safe in the order that was asked for nor excused. */
  readonly ok: boolean
  readonly against: string
  /** What the earlier state was read from. */
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
 * Compares the contract with an earlier state of it and tells what changed, for whom, and what breaks in which order of
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
  const exceptions = config.sets[0]?.exceptions ?? []
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
  const excused = excuse(
    sets.flatMap(({ changes }) => changes),
    exceptions,
  )
  const shown = sets.map((set) => ({ ...set, changes: excuse(set.changes, exceptions).changes }))
  const counted = excused.changes.filter(({ excused: reason }) => reason === undefined)
  return {
    ok: !counted.some((change) => failOn.includes(change.class) && counts(change, order)),
    against: earlier.name,
    from: earlier.from,
    order,
    failOn,
    verdicts: verdictsOf(counted),
    sets: shown,
    staleExceptions: excused.stale,
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

/** Whether a change has to be answered for in an order: on the wire only what is not safe in it, elsewhere everything. */
export function counts(change: Change, order: Order): boolean {
  return change.class !== 'wire' || change.verdicts[order] !== 'safe'
}

function verdictsOf(changes: readonly Change[]): Record<Order, Verdict> {
  return Object.fromEntries(
    orders.map((order) => [order, worst(changes.map(({ verdicts }) => verdicts[order]))]),
  ) as Record<Order, Verdict> // the same keys, which the library types as strings
}

/** By Tool, then by what weighs most. */
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
      fix: `${finding.fix} Only definitions that are right can be compared.`,
    })),
  )
}
