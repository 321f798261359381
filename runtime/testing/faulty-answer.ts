import { isJsonObject, own } from '../json/json.ts'
import { type Fault, type FaultPlace, type SaidFaultKind, saidBefore, saidFaultKinds } from './faults.ts'
import { lengthOf, type ModelAnswer } from './model-answer.ts'

/** Returns the fault if it is one of the model. */
export function saidFault(fault: Fault | undefined): (Fault & { readonly kind: SaidFaultKind }) | undefined {
  const kind = saidFaultKinds.find((each) => each === fault?.kind)
  return fault && kind && { ...fault, kind }
}

/** Builds the answer of a model with a fault at a place: correct up to there. */
export function faultyAnswer(
  answer: ModelAnswer,
  { at, kind }: { readonly at: FaultPlace; readonly kind: SaidFaultKind },
): ModelAnswer {
  const { text = '', toolCalls } = answer
  const place = saidBefore(at, answer)
  // With calls, the one that contains the fault has begun.
  const until = toolCalls ? Math.max(place, text.length) + 1 : place
  const before = answerUntil(until, answer)
  switch (kind) {
    case 'refusal':
      return { ...before, refusal: 'I cannot help with that.' }
    case 'truncation':
      return { ...before, isTruncated: true }
    case 'invalid-json': {
      // Complete JSON within prose would be read, so the last brace is missing too.
      const unfinished = answerUntil(Math.min(until, lengthOf(answer) - 1), answer)
      return changeEnd(unfinished, (said) => `${said}, or so I think`)
    }
    case 'schema-violation':
      return toolCalls ? changeEnd(before, () => '[]') : { ...answer, text: violating(at, text) }
  }
}

/** Cuts an answer after some characters: of its text, and of the arguments of its calls. */
function answerUntil(place: number, answer: ModelAnswer): ModelAnswer {
  const { text = '', toolCalls } = answer
  if (!toolCalls) return { ...answer, text: text.slice(0, place) }
  let left = place - text.length
  const begun = toolCalls.flatMap((call) => {
    const said = call.arguments.slice(0, Math.max(0, left))
    left -= call.arguments.length
    return said === '' ? [] : [{ ...call, arguments: said }]
  })
  return { ...answer, toolCalls: begun }
}

/** Changes the arguments of the last call, or the text if there are no calls. */
function changeEnd(answer: ModelAnswer, change: (said: string) => string): ModelAnswer {
  const { text = '', toolCalls = [] } = answer
  const last = toolCalls.at(-1)
  if (!last) return { ...answer, text: change(text) }
  return { ...answer, toolCalls: [...toolCalls.slice(0, -1), { ...last, arguments: change(last.arguments) }] }
}

const noOutput = { 'what nobody asked for': true }

/**
 * Makes text violate the schema: a solution loses its list of Calls, or gets an output that was not requested after its
 * first Call or all of them. Anything else becomes an array.
 */
function violating(at: FaultPlace, text: string): string {
  const solution: unknown = isJson(text) ? JSON.parse(text) : undefined
  const calls = isJsonObject(solution) ? own(solution, 'calls') : undefined
  if (!isJsonObject(solution) || !Array.isArray(calls) || at === 'headers' || at === 'first-byte') return '[]'
  const changed = {
    'mid-call': { calls: noOutput },
    'between-calls': { calls: calls.slice(0, 1), output: noOutput },
    'last-byte': { calls, output: noOutput },
  }[at]
  return JSON.stringify({ ...solution, ...changed })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
