import { isJsonObject } from '../json/json.ts'
import { keywordOf } from '../keywords/keywords.ts'
import type { FieldRule } from '../problems/field-rule.ts'
import { nearest } from '../problems/nearest.ts'
import { allEffects } from './effects.ts'

/**
 * The rules for a Tool's options (TOOL-9). Without them a misspelt effect would have no effect, and with `references: 'none'`
 * strings would still be read as References. The predicates are written out: imported helpers would be part of every bundle that
 * only declares Tools.
 */
export const toolOptions: Readonly<
  Record<'effects' | 'enabled' | 'parser' | 'references' | 'examples', FieldRule>
> = {
  effects: [(value) => allEffects.includes(value as string), '"read", "idempotent" or "write"'],
  enabled: [(value) => typeof value === 'boolean', 'true or false'],
  parser: [(value) => value === 'json' || value === 'tuple', '"json" or "tuple"'],
  references: [(value) => value === false, 'false'],
  examples: [Array.isArray, 'a list'],
}

/** The options that change how a Tool runs or is parsed. Without `examples`, since other schemas have a keyword `example`. */
const spelt = ['effects', 'enabled', 'parser', 'parameters', 'references']

/**
 * Returns the option that an unknown keyword of a Tool's schema probably misspells. The compiler cannot tell, since any
 * keyword is allowed there.
 */
export function misspeltOption(word: string): string | undefined {
  if (spelt.includes(word) || keywordOf(word) || !/^\w+$/.test(word)) return undefined
  return nearest(word, spelt, 1)[0]
}

const outputHere = 'The schema of what a Tool gives is its property `_output`.'

/** Keywords that MCP and other toolkits put next to a tool's parameters, and their equivalents here. */
const wordsOfOtherKits: Readonly<Record<string, string>> = {
  annotations: "What a Tool does is its option `effects`: 'read', 'idempotent' or 'write'.",
  output: outputHere,
  outputSchema: outputHere,
  output_schema: outputHere,
}

/**
 * Returns what to write instead of a keyword of MCP or of another toolkit, which would be ignored: a Tool with a destructive hint
 * would be raced, and the output of one with `outputSchema` would not be validated.
 */
export function wordHere(word: string, value: unknown): string | undefined {
  return isJsonObject(value) && Object.hasOwn(wordsOfOtherKits, word) ? wordsOfOtherKits[word] : undefined
}
