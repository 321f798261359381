import { isJsonObject, own } from '../json/json.ts'
import { type Fault, type FaultPlace, type SaidFaultKind, saidFaultKinds, textBefore } from './faults.ts'
import type { ModelAnswer } from './model-answer.ts'

/** The fault, where it is one of what the model says; the others happen on the way. */
export function saidFault(fault: Fault | undefined): (Fault & { readonly kind: SaidFaultKind }) | undefined {
  const kind = saidFaultKinds.find((each) => each === fault?.kind)
  return fault && kind && { ...fault, kind }
}

/** The answer as a model gives it that goes wrong at a place: in order up to there. */
export function faultyAnswer(
  answer: ModelAnswer,
  { at, kind }: { readonly at: FaultPlace; readonly kind: SaidFaultKind },
): ModelAnswer {
  const { text = '' } = answer
  const before = text.slice(0, textBefore(at, text))
  switch (kind) {
    case 'refusal':
      return { ...answer, text: before, refusal: 'I cannot help with that.' }
    case 'truncation':
      return { ...answer, text: before, isTruncated: true }
    case 'invalid-json':
      // Whole JSON in prose would be read, so that the last brace is missing as well.
      return { ...answer, text: `${before.slice(0, text.length - 1)}, or so I think` }
    case 'schema-violation':
      return { ...answer, text: violating(at, text) }
  }
}

const noOutput = { 'what nobody asked for': true }

/**
 * A solution gets no list of Calls, or after the first or all of its Calls an output that nobody asked for. Anything else
 * becomes a list.
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
