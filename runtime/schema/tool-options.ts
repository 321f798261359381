import { isJsonObject } from '../json/json.ts'
import { keywordOf } from '../keywords/keywords.ts'
import type { FieldRule } from '../problems/field-rule.ts'
import { nearest } from '../problems/nearest.ts'
import { allEffects } from './effects.ts'

/**
 * What the options that stand on a Tool's schema must be (TOOL-9): nobody would ask for a misspelt effect, and the text of a
 * Tool with `references: 'none'` would be read as a Reference. Written out, since a bundle that only declares Tools would carry
 * what is called here.
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

/** The options that change how a Tool runs or is read. Not `examples`, since `example` is a word of other schemas. */
const spelt = ['effects', 'enabled', 'parser', 'parameters', 'references']

/** The option that a word on a Tool's schema was most likely meant for: any keyword may stand there, so that no compiler sees it. */
export function misspeltOption(word: string): string | undefined {
  if (spelt.includes(word) || keywordOf(word) || !/^\w+$/.test(word)) return undefined
  return nearest(word, spelt, 1)[0]
}

const outputHere = 'The schema of what a Tool gives is its property `_output`.'

/** What other kits write beside a tool's parameters, and what says it here. */
const wordsOfOtherKits: Readonly<Record<string, string>> = {
  annotations: "What a Tool does to the world is its option `effects`: 'read', 'idempotent' or 'write'.",
  output: outputHere,
  outputSchema: outputHere,
  output_schema: outputHere,
}

/**
 * What to write in place of a word of MCP or of another kit, which nothing here reads: a Tool whose hints say that it deletes would be
 * raced, and one with an `outputSchema` give anything.
 */
export function wordHere(word: string, value: unknown): string | undefined {
  return isJsonObject(value) && Object.hasOwn(wordsOfOtherKits, word) ? wordsOfOtherKits[word] : undefined
}
