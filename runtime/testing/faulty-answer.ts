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
      return { ...answer, text: `${before}, or so I think` }
    case 'schema-violation':
      return { ...answer, text: violating(at, text) }
  }
}

const noTool = { _tool: 'a tool that nobody offered' }

/** Of a solution one Call is of no Tool: the first, the one after it, or the last. Anything else becomes a list. */
function violating(at: FaultPlace, text: string): string {
  const solution: unknown = isJson(text) ? JSON.parse(text) : undefined
  const calls = isJsonObject(solution) ? own(solution, 'calls') : undefined
  if (!isJsonObject(solution) || !Array.isArray(calls) || at === 'headers' || at === 'first-byte') return '[]'
  const [first, ...others] = calls
  const changed = {
    'mid-call': [noTool, ...others],
    'between-calls': [first, noTool, ...others],
    'last-byte': [...calls, noTool],
  }[at]
  return JSON.stringify({ ...solution, calls: changed })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
