import { type Dialect, describedEverywhere, keptMostly } from './dialect.ts'

/**
 * llama.cpp's json-schema-to-grammar, also used by Ollama. It silently ignores keywords that it does not know.
 *
 * Source, read on 2026-11-27: llama.cpp grammars/README and common/json-schema-to-grammar.cpp, src/llama-grammar.cpp.
 */
export const llamaCpp: Dialect = {
  name: 'llama.cpp',
  objectRoot: false,
  optional: 'keep',
  constant: 'const',
  constantTypes: ['string', 'number', 'boolean', 'null'],
  typeLists: 'any',
  records: 'keep',
  // `prefixItems` is documented as broken.
  tuples: 'object',
  untyped: 'keep',
  recursion: 'keep',
  besideRef: 'keep',
  referencePattern: "^†[A-Za-z0-9_.$' |&†-]+$",
  formats: ['date', 'time', 'date-time', 'uuid'],
  keywords: {
    ...describedEverywhere,
    ...keptMostly,
    // The pattern applies to the JSON text between the quotes; `\d` breaks the grammar.
    pattern: { pattern: 'literal' },
    // One repetition of 2,000 rules has the whole request refused: ggml-org/llama.cpp#25746, #27087. A character is one rule, an
    // item with its comma up to three.
    minLength: { without: ['pattern', 'format'], most: 1_999 },
    maxLength: { without: ['pattern', 'format'], most: 1_999 },
    minItems: { most: 600 },
    maxItems: { most: 600 },
    minimum: { types: ['integer'] },
    maximum: { types: ['integer'] },
    exclusiveMinimum: { types: ['integer'] },
    exclusiveMaximum: { types: ['integer'] },
    multipleOf: 'describe',
    default: 'keep',
    examples: 'keep',
    deprecated: 'keep',
  },
  otherKeywords: 'drop',
  limits: [],
}
