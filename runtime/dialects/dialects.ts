import { anthropic } from './anthropic.ts'
import type { Dialect } from './dialect.ts'
import type { DialectName } from './dialect-name.ts'
import { gemini } from './gemini.ts'
import { jsonSchema } from './json-schema.ts'
import { llamaCpp } from './llama-cpp.ts'
import { mcp } from './mcp.ts'
import { mistral } from './mistral.ts'
import { openai } from './openai.ts'
import { xgrammar } from './xgrammar.ts'

/** Every dialect by name. A new dialect is a new file and one line here. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  'json-schema': jsonSchema,
  openai,
  mistral,
  anthropic,
  gemini,
  xgrammar,
  'llama.cpp': llamaCpp,
  mcp,
}
