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

/** A Tool as a custom ranking receives it. */
export interface RankableTool {
  readonly name: string
  readonly description?: string
  /** The score of the word search; 0 for a Tool that contains no word of the question. */
  readonly score: number
}

/**
 * A custom ranking, for example by embeddings. Receives every enabled Tool with its word score, and returns those that fit,
 * best first. Unknown names are dropped, with one warning if none is known.
 */
export type RankTools = (
  question: string,
  tools: readonly RankableTool[],
) => readonly FoundTool[] | Promise<readonly FoundTool[]>

/** Options of `Tool.find`. */
export interface FindOptions {
  /** The most Tools to return. Default: 10. */
  readonly limit?: number | undefined
  /** Replaces the word search. Default: the `rank` of `createRegistry`. */
  readonly rank?: RankTools | undefined
  /** Leaves out the Tools that are disabled in this context (TOOL-9). */
  readonly context?: ContextLike | undefined
  /** The caller, as a server authenticated it: leaves out the Tools that do not exist for this caller (SERVE-6). */
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

/** The generated search index, as a registry loads it: one line per Tool. */
export interface SearchIndex {
  readonly searchIndex: string
}

const defaultLimit = 10

/** Searches the Tools of a registry, and caches their index for the next question. */
export class ToolFinder {
  readonly #loadIndex: (() => Promise<SearchIndex>) | undefined
  #lines: ReadonlyMap<string, SearchEntry> | undefined
  #ranker: Ranker | undefined
  #ranked: readonly ToolEntry[] = []

  /** @param loadIndex Loads the generated index; without one, and for Tools that are not in it, schemas are indexed. */
  constructor(loadIndex?: () => Promise<SearchIndex>) {
    this.#loadIndex = loadIndex
  }

  /**
   * Returns the Tools that fit a question best.
   *
   * @param entries The enabled Tools.
   * @param isGenerated True for a Tool that was not replaced since generation, so that its line of the index is valid.
   * @param ownRank The registry's custom ranking, which `options.rank` overrides.
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
    `\`rank\` returned no name of an enabled Tool (first: ${briefly(name)}), so nothing is found. Return names from the list that it receives.`,
  )
}

function readLines(index: SearchIndex | undefined): Map<string, SearchEntry> {
  const lines = index?.searchIndex.split('\n').filter((line) => line !== '') ?? []
  return new Map(lines.map(readIndexLine).map((entry) => [entry.tool, entry]))
}

function sameEntries(left: readonly ToolEntry[], right: readonly ToolEntry[]): boolean {
  return left.length === right.length && left.every((entry, place) => entry === right[place])
}
