import { isTooDeep } from '../../json/is-too-deep.ts'
import { isJsonObject, type JsonObject } from '../../json/json.ts'
import { maximumDepth } from '../../json/json-copy.ts'
import { jsonOr } from '../../json/json-or.ts'

/**
 * Returns the arguments of a call to send back: the JSON text of an object, or an object where the server sent one.
 * Missing and malformed arguments become `{}`: the call's result says what they were, and servers that parse earlier
 * calls (vLLM, SGLang, llama.cpp) would refuse every later turn.
 */
export function readableArguments(given: unknown): unknown {
  return isReadableInput(typeof given === 'string' ? jsonOr(given, undefined) : given) ? given : '{}'
}

/** True for an object that is not nested too deep to be written as JSON again. */
export function isReadableInput(input: unknown): input is JsonObject {
  return isJsonObject(input) && !isTooDeep(input, maximumDepth)
}

/**
 * Returns the name of a call to send back. A model may invent one that its own provider refuses, such as
 * `multi_tool_use.parallel`.
 */
export function readableName(given: unknown): string {
  return (
    String(given ?? '')
      .replaceAll(/[^\w-]/g, '_')
      .slice(0, 64) || '_'
  )
}
