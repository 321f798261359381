import type { KeepWhen, KeywordRule } from '../dialects/dialect.ts'
import { keywordNames } from '../keywords/keywords.ts'
import { referencePattern } from '../schema/reference-pattern.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { Lowering } from './lowering.ts'
import { isOfKind } from './pattern-kind.ts'
import { described, words } from './words.ts'

/** Keywords that are never copied: they are handled elsewhere, or do not constrain values. */
const skipped = new Set(['description', '$defs', 'definitions', '$schema', '$id', '$comment'])

/**
 * Applies the dialect's table to the keywords of a node that its structure has not handled yet: each is kept, described or dropped.
 *
 * @param settled The keywords already handled.
 * @returns The kept keywords, description first.
 */
export function applyKeywords(node: JsonSchema, settled: readonly string[], lowering: Lowering): JsonSchema {
  const kept: JsonSchema = {}
  const sentences: string[] = []
  for (const [keyword, value] of Object.entries(node)) {
    if (settled.includes(keyword) || skipped.has(keyword)) continue
    if (keyword === 'pattern' && value === referencePattern && lowering.dialect.referencePattern) {
      kept.pattern = lowering.dialect.referencePattern
      continue
    }
    const verdict = judge(keyword, value, node, lowering)
    if (verdict === 'keep') kept[keyword] = value
    const sentence = verdict === 'describe' ? words(keyword, value) : ''
    if (sentence !== '') sentences.push(sentence)
    if (verdict === 'describe') lowering.lose(node, keyword, sentence === '' ? 'dropped' : 'described')
    if (verdict === 'drop') lowering.lose(node, keyword, 'dropped')
  }
  if (typeof node.$comment === 'string') lowering.lose(node, '$comment', 'dropped')
  const description = described(node.description, sentences)
  return description === undefined ? kept : { description, ...kept }
}

type Verdict = 'keep' | 'describe' | 'drop'

function judge(keyword: string, value: unknown, node: JsonSchema, { dialect }: Lowering): Verdict {
  if (keyword === 'format') {
    return dialect.formats === 'any' || dialect.formats.includes(String(value)) ? 'keep' : 'describe'
  }
  const rule: KeywordRule | undefined = Object.hasOwn(dialect.keywords, keyword)
    ? dialect.keywords[keyword]
    : undefined
  if (rule === undefined) return dialect.otherKeywords
  if (typeof rule === 'string') return rule
  return mayStay(rule, value, node) ? 'keep' : 'describe'
}

function mayStay(rule: KeepWhen, value: unknown, node: JsonSchema): boolean {
  const types = Array.isArray(node.type) ? node.type : [node.type]
  return (
    (rule.types === undefined ||
      types.every((type) => type === 'null' || rule.types?.includes(String(type)))) &&
    (rule.without === undefined || !rule.without.some((other) => node[other] !== undefined)) &&
    (rule.most === undefined || Number(value) <= rule.most) &&
    (rule.pattern === undefined || isOfKind(rule.pattern, String(value))) &&
    (rule.whole === undefined || bounds.every((bound) => isWhole(node[bound]))) &&
    (rule.closed === undefined ||
      rule.closed.or.some((allowed) => allowed === value) ||
      rule.closed.by.some((bound) => node[bound] !== undefined))
  )
}

const bounds = keywordNames(({ bound, about }) => bound && about?.includes('number'))

function isWhole(bound: unknown): boolean {
  return bound === undefined || Number.isSafeInteger(bound)
}
