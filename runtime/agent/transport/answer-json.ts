import { maximumDepth } from '../../json/json-copy.ts'
import { RequestError } from './request-error.ts'

/**
 * Reads the text of an answer. It is strict JSON: a model that was held to a schema has no reason to say anything else.
 *
 * @throws RequestError `answer_invalid` for anything else, and for what nests deeper than a Call may: lifting and
 * checking it would overflow the stack.
 */
export function answerJson(text: string): unknown {
  if (text.trim() === '') {
    throw new RequestError('answer_invalid', "The model's answer is empty, where JSON was asked for.", {
      text,
    })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new RequestError('answer_invalid', `The model's answer is not JSON: ${why}`, { text, cause })
  }
  if (isTooDeep(value)) {
    const message = `The model's answer nests deeper than ${maximumDepth} levels.`
    throw new RequestError('answer_invalid', message, { text })
  }
  return value
}

/** Level by level, since what is asked is whether a walk in depth can be afforded. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maximumDepth) return true
    level = level.flatMap((each) => Object.values(each).filter(isNested))
  }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
