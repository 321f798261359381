import type { ContextLike } from '../context/context.ts'
import { contextRule } from '../context/context-rule.ts'
import { isJsonObject } from '../json/json.ts'
import { aFunction, count, isString } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { briefly } from '../problems/problem.ts'
import { warnOnce } from '../problems/warn-once.ts'
import { wrongAnswer } from '../problems/wrong-answer.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'
import { readIndexLine } from './index-line.ts'
import { type FoundTool, Ranker } from './ranker.ts'
import { type SearchEntry, searchEntryOf } from './search-entry.ts'

/** A Tool as a ranking of the user's own sees it. */
export interface RankableTool {
  readonly name: string
  readonly description?: string
  /** What the words of the question gave; 0 for a Tool that has none of them. */
  readonly score: number
}

/**
 * Ranks Tools in a way of the user's own, by embeddings for example. Takes every Tool that is on, with what the words gave,
 * and returns those that fit, best first. Names that are not among them are dropped; an answer of nothing else warns once.
 */
export type RankTools = (
  question: string,
  tools: readonly RankableTool[],
) => readonly FoundTool[] | Promise<readonly FoundTool[]>

/** Options of `Tool.find`. */
export interface FindOptions {
  /** The most Tools to return. Default: 10. */
  readonly limit?: number | undefined
  /** Ranks in place of the words; what `createRegistry({ rank })` says by default. */
  readonly rank?: RankTools | undefined
  /** Leaves out the Tools that are off in this context (TOOL-9). */
  readonly context?: ContextLike | undefined
  /** Who asks, as a server knows it: leaves out the Tools that are not there for them (SERVE-6). */
  readonly principal?: unknown
}

function isRanking(value: unknown): value is readonly FoundTool[] {
  return Array.isArray(value) && value.every((each) => isJsonObject(each) && isString(each.name))
}

const findRules: OptionRules<FindOptions> = {
  limit: count,
  rank: aFunction,
  context: contextRule,
  principal: [() => true, 'anything'],
}

/** The part of the generated search index that a registry loads: a line a Tool. */
export interface SearchIndex {
  readonly searchIndex: string
}

const defaultLimit = 10

/** Finds Tools among the entries of a registry. Keeps what it has read off them for the next question. */
export class ToolFinder {
  readonly #loadIndex: (() => Promise<SearchIndex>) | undefined
  #lines: ReadonlyMap<string, SearchEntry> | undefined
  #ranker: Ranker | undefined
  #ranked: readonly ToolEntry[] = []

  /** @param loadIndex Loads the generated index; without one, or for Tools that it does not know, schemas are read. */
  constructor(loadIndex?: () => Promise<SearchIndex>) {
    this.#loadIndex = loadIndex
  }

  /**
   * The Tools that fit a question best.
   *
   * @param entries The Tools that are on.
   * @param isGenerated True for a Tool that is still as it was generated, so that its line of the index holds.
   * @param ownRank Ranks unless the options say otherwise.
   * @throws CallsheetError `invalid_options`.
   */
  async find(
    question: string,
    entries: readonly ToolEntry[],
    isGenerated: (entry: ToolEntry) => boolean,
    options: FindOptions,
    ownRank?: RankTools,
  ): Promise<FoundTool[]> {
    requireArgument('Tool.find', question, [isString, 'a question as text'])
    requireOptionsOf('Tool.find', options, findRules)
    const { limit = defaultLimit, rank = ownRank } = options
    const found = (await this.#rankerOf(entries, isGenerated)).rank(question)
    if (!rank) return found.slice(0, limit)
    const scores = new Map(found.map(({ name, score }) => [name, score]))
    const tools = entries.map(({ facts, schema }) => ({
      name: facts.name,
      ...(schema.description !== undefined && { description: schema.description }),
      score: scores.get(facts.name) ?? 0,
    }))
    const known = new Set(tools.map(({ name }) => name))
    const ranked: unknown = await rank(question, tools)
    if (!isRanking(ranked)) throw wrongAnswer('`rank`', 'a list of { name, score }, best first', ranked)
    const fitting = ranked.filter(({ name }) => known.delete(name))
    const [first] = ranked
    if (first && fitting.length === 0) warnOfStrangers(first.name)
    return fitting.slice(0, limit)
  }

  async #rankerOf(
    entries: readonly ToolEntry[],
    isGenerated: (entry: ToolEntry) => boolean,
  ): Promise<Ranker> {
    if (this.#ranker && sameEntries(this.#ranked, entries)) return this.#ranker
    this.#lines ??= readLines(await this.#loadIndex?.())
    const lines = this.#lines
    const ranker = new Ranker(
      entries.map((entry) => {
        const line = isGenerated(entry) ? lines.get(entry.facts.name) : undefined
        return line ?? searchEntryOf(entry.facts, entry.schema)
      }),
    )
    this.#ranker = ranker
    this.#ranked = entries
    return ranker
  }
}

function warnOfStrangers(name: string): void {
  warnOnce(
    'CALLSHEET_RANK',
    'names',
    `\`rank\` names no Tool that is on (${briefly(name)} first), so nothing is found. It names them as they stand in the list that it is given.`,
  )
}

function readLines(index: SearchIndex | undefined): Map<string, SearchEntry> {
  const lines = index?.searchIndex.split('\n').filter((line) => line !== '') ?? []
  return new Map(lines.map(readIndexLine).map((entry) => [entry.tool, entry]))
}

function sameEntries(left: readonly ToolEntry[], right: readonly ToolEntry[]): boolean {
  return left.length === right.length && left.every((entry, place) => entry === right[place])
}
