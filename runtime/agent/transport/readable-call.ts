import { isJsonObject } from '../../json/json.ts'
import { jsonOr } from '../../json/json-or.ts'

/**
 * The arguments of a call that goes back to the model, as JSON text of an object. What is none was refused, and its result
 * says what it was; servers that parse earlier calls, as vLLM, SGLang and llama.cpp do, would refuse every turn after it.
 */
export function readableArguments(given: unknown): unknown {
  return typeof given === 'string' && !isJsonObject(jsonOr(given, undefined)) ? '{}' : given
}

/** The name of a call that goes back: a model may have made one up, such as `multi_tool_use.parallel`, that its own provider refuses. */
export function readableName(given: unknown): string {
  return (
    String(given ?? '')
      .replaceAll(/[^\w-]/g, '_')
      .slice(0, 64) || '_'
  )
}
