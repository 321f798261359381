import type { Call } from '../../context/message.ts'
import type { CallError } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { copyJson, maximumValueDepth, tooDeep } from '../../json/json-copy.ts'
import { pointerOf } from '../../json/json-pointer.ts'
import { findNotJson, hasOtherSpelling, isScalar } from '../../json/not-json.ts'
import { problem } from '../../problems/problem.ts'
import { withFixedFields } from '../../schema/fixed-fields.ts'
import { olderDelegateName } from '../../schema/older-delegate-name.ts'
import type { ToolFacts } from '../../schema/tool-facts.ts'
import { invalidCall } from '../call-errors.ts'

/** Copies of a Call, and what the copying pass found in it. */
export interface CopiedCall {
  /** The copy to check, resolve and pass to the Activity, which may change it. */
  readonly call: Call
  /** An unchanged copy for the Outcome and its Messages. The same object as `call` if neither needs one. */
  readonly record: Call
  /** True if it has a field that starts with an underscore, apart from `_tool`. */
  readonly hasMetaFields: boolean
  /** True if it may read or write its context: it has such a meta-field, or a string that may be a Reference. */
  readonly touchesContext: boolean
}

const underscore = '_'.charCodeAt(0)
const dagger = '†'.charCodeAt(0)

/** Meta-fields by which a Call reads, writes or changes its context. */
const contextFields: readonly string[] = [
  '_outputPath',
  '_instance',
  '_scopes',
  '_delegate',
  olderDelegateName,
]

/**
 * Copies a Call deeply, and adds the fields that its Tool fixes. The same pass looks for References and meta-fields: a
 * second pass would cost a plain Call a tenth of its time, and reading eight fields that a Call does not have costs as
 * much as its checks, since the Calls of every Tool are objects of a different shape.
 *
 * @throws CallError `invalid_call` if the Call nests too deeply, as a cyclic one does, or contains an object whose copy
 * would be `{}`, such as a `Date`.
 */
export function copyCall(facts: ToolFacts, call: Call, isRecorded: boolean): CopiedCall {
  // Named again: a getter may have told its name once, and another one now.
  const copy: Call = { ...withFixedFields(call, facts.fixed), _tool: facts.name }
  const copied: Copying = {
    call: copy,
    record: copy,
    hasMetaFields: false,
    touchesContext: facts.scopes !== undefined || facts.delegate !== undefined,
    isNested: false,
    isPlain: true,
  }
  for (const name in copy) {
    const value = copy[name]
    if (typeof value === 'string') copied.touchesContext ||= value.charCodeAt(0) === dagger
    else if (!Number.isFinite(value)) copy[name] = copyOther(value, copied, 0)
    if (name.charCodeAt(0) !== underscore || name === '_tool') continue
    copied.hasMetaFields = true
    copied.touchesContext ||= value !== undefined && contextFields.includes(name)
  }
  if (!copied.isPlain) throw notPlain(facts, call)
  if (isRecorded || copied.touchesContext) copied.record = copyAgain(copy, copied.isNested)
  return copied
}

/** Makes the second copy. Most Calls are flat, and a spread of them costs next to nothing. */
function copyAgain(call: Call, isNested: boolean): Call {
  return isNested ? copyJson(call) : { ...call }
}

/** The copies while they are made, and what the pass has found so far. */
type Copying = { -readonly [Key in keyof CopiedCall]: CopiedCall[Key] } & {
  isNested: boolean
  /** False once a value was met that JSON would write differently or not at all, such as a `Date` or a bigint. */
  isPlain: boolean
}

/**
 * Creates the error of a Call that is not plain JSON. Finds the place only now, so that valid Calls do not pay for it.
 */
function notPlain({ name }: ToolFacts, call: Call): CallError {
  const { path = [], value } = findNotJson(call) ?? {}
  const found = problem(pointerOf(path), 'plain JSON', value)
  return invalidCall(`Tool "${name}" cannot take this Call`, [found])
}

/** Copies anything but strings and finite numbers. */
function copyOther(value: unknown, copied: Copying, depth: number): unknown {
  if (typeof value === 'object' && value !== null) return copyObject(value, copied, depth)
  copied.isPlain &&= isScalar(value)
  return value
}

/** Copies an object or an array. Strings and numbers are checked inline: a function call for each value costs a sixth more. */
function copyObject(value: object, copied: Copying, depth: number): unknown {
  copied.isNested = true
  if (depth >= maximumValueDepth) throw tooDeep(maximumValueDepth)
  if (Array.isArray(value)) {
    const copy: unknown[] = value.slice()
    for (let index = 0; index < copy.length; index++) {
      const item = copy[index]
      if (typeof item === 'string') copied.touchesContext ||= item.charCodeAt(0) === dagger
      else if (!Number.isFinite(item)) copy[index] = copyOther(item, copied, depth + 1)
      // An undefined member is left out, but an undefined item would become null.
      copied.isPlain &&= item !== undefined
    }
    return copy
  }
  copied.isPlain &&= !hasOtherSpelling(value)
  // A spread makes own properties of everything, `__proto__` included, so the assignments below reach no setter.
  const copy = { ...value } as JsonObject
  for (const key in copy) {
    const item = copy[key]
    if (typeof item === 'string') copied.touchesContext ||= item.charCodeAt(0) === dagger
    else if (!Number.isFinite(item)) copy[key] = copyOther(item, copied, depth + 1)
  }
  return copy
}
