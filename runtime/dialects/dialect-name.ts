/** The schema dialects that Callsheet lowers to (REQ-5). `mistral` follows `openai`. */
export const dialectNames = [
  'json-schema',
  'openai',
  'mistral',
  'anthropic',
  'gemini',
  'xgrammar',
  'llama.cpp',
  'mcp',
] as const

/** The name of a dialect. */
export type DialectName = (typeof dialectNames)[number]
