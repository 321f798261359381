import type { JsonSchema } from '../../schema/schema.ts'
import { takesSchemaBesideTools } from '../transport/choose-api.ts'
import type { ConnectionOptions } from '../transport/model-client.ts'
import type { AnswerFormat } from './answer-format.ts'

/** The response formats of the providers' APIs. */
export type ResponseFormat = 'json_schema' | 'json_object' | 'text'

/**
 * Chooses how the model is told the schema of its answer: the option `responseFormat`, else as the response format. Only a schema
 * that the provider would refuse goes into the prompt, and next to tools that of most servers: Groq and Gemini 2.5 refuse both
 * together, and the grammars of local servers (Ollama, llama.cpp) then leave the model no way to call a tool, so that it invents
 * its answer.
 */
export function responseFormatOf(
  options: ConnectionOptions & { readonly responseFormat?: ResponseFormat | undefined },
  { tools, isTooMuch }: Pick<AnswerFormat<unknown>, 'tools' | 'isTooMuch'>,
): ResponseFormat {
  if (options.responseFormat) return options.responseFormat
  return isTooMuch || (tools && !takesSchemaBesideTools(options)) ? 'text' : 'json_schema'
}

/** Returns the schema that the server receives for an answer: true in its JSON mode, undefined for text. */
export function sentSchema(
  schema: JsonSchema | undefined,
  format: ResponseFormat,
): JsonSchema | true | undefined {
  return schema && { json_schema: schema, json_object: true as const, text: undefined }[format]
}
