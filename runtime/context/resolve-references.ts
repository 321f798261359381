import { CallError, CallsheetError, type Problem } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { copyJson, maximumDepth, tooDeep } from '../json/json-copy.ts'
import { pointerOf, pointerSegment } from '../json/json-pointer.ts'
import { findNotJson, isJson } from '../json/not-json.ts'
import { nearest } from '../problems/nearest.ts'
import {
  ended,
  furtherProblems,
  listProblems,
  mostProblems,
  problem,
  saidProblem,
  saidProblems,
} from '../problems/problem.ts'
import { CopiedData, sizeOf } from './copied-data.ts'
import type { Call } from './message.ts'
import type { Reader } from './reader.ts'
import { type Expression, formatPath, type Path, parseReference } from './reference.ts'
import { allows, parseScopes } from './scope-list.ts'
import { evaluate } from './state.ts'
import { plainData } from './well-formed-message.ts'

/** Which parameters of a Call may contain References, and what those may read. */
export interface ReferenceOptions {
  /** Properties of the Tool with a leading underscore that are parameters nonetheless (TOOL-2). */
  readonly parameters?: readonly string[] | undefined
  /** The Tool's fixed scopes: References can only read within them (REF-1a). */
  readonly scopes?: readonly string[] | undefined
  /** The parameters in which the Tool disables References: `true` for all, or their names. */
  readonly literal?: true | readonly string[] | undefined
  /** The run's option: `false` disables References, a list names the kinds and References that may be read. */
  readonly references?: false | readonly string[] | undefined
  /** How many paths the output of the Call is written to: what it reads may be copied to each of them. Default: 1. */
  readonly copies?: number | undefined
}

const dagger = '†'

/**
 * Replaces the References in a Call's parameters by copies of their values, at any depth (REF-1). References within these values
 * are not resolved.
 *
 * @returns The Call itself if it contains no References.
 * @throws CallError `unresolved_reference` or `invalid_path`, listing every problem; `invalid_call` for a Call that is
 * cyclic, nests deeper than 1,000 levels, or throws when it is read.
 */
export function resolveReferences<Given extends Call>(
  call: Given,
  reader: Reader,
  { parameters, scopes, references, literal, copies }: ReferenceOptions = {},
): Given {
  if (references === false || literal === true) return call
  let resolution: Resolution | undefined
  let resolved: JsonObject = call
  try {
    for (const name of Object.keys(call)) {
      const value: unknown = call[name]
      if (!mayRefer(value, 0) || (name[0] === '_' && !parameters?.includes(name))) continue
      if (literal?.includes(name)) continue
      resolution ??= new Resolution(reader, call._instance, copies, scopes, references)
      const found = resolution.replace(value, `/${pointerSegment(name)}`, 0)
      if (found === value) continue
      if (resolved === call) resolved = { ...call }
      resolved[name] = found
    }
  } catch (error) {
    if (error instanceof CallError || isReadable(call)) throw error
    throw new CallError('invalid_call', 'The Call cannot be read: a property throws. Pass plain JSON.', {
      cause: error,
    })
  }
  resolution?.report()
  return resolved as Given
}

function isReadable(call: Call): boolean {
  try {
    copyJson(call)
    return true
  } catch {
    return false
  }
}

/** True if a value contains a string that begins with `†`, at any depth. Allocates nothing, since most Calls have none. */
function mayRefer(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value[0] === dagger
  if (typeof value !== 'object' || value === null) return false
  if (depth > maximumDepth) throw tooDeep()
  if (Array.isArray(value)) return value.some((item) => mayRefer(item, depth + 1))
  for (const name in value) if (mayRefer((value as JsonObject)[name], depth + 1)) return true
  return false
}

/**
 * Refuses values that are not JSON: a context given as an array was not validated, and the copy of a Date would be an
 * empty object.
 */
function requirePlain(text: string, value: unknown): void {
  const found = isJson(value) ? undefined : findNotJson(value)
  if (!found || found.isTooDeep) return
  const { message } = problem(pointerOf(found.path), plainData, found.value)
  throw new CallsheetError('invalid_message', `The context cannot be read at ${text}: ${message}.`)
}

/** One pass over the parameters of a Call. */
class Resolution {
  readonly #reader: Reader
  readonly #instance: string | undefined
  readonly #allows: ((path: Path) => boolean) | undefined
  readonly #problems: Problem[] = []
  readonly #suggestions: string[] = []
  #code: 'unresolved_reference' | 'invalid_path' = 'unresolved_reference'
  #more = 0
  // A single Reference counts too: reading `†state` and writing below it again, each Call would double what is there.
  readonly #copied = new CopiedData(2_000_000, 'References of the Call')
  readonly #copies: number | undefined

  constructor(
    reader: Reader,
    instance: unknown,
    copies: number | undefined,
    ...limits: (readonly string[] | undefined)[]
  ) {
    this.#reader = reader
    this.#copies = copies
    this.#instance = typeof instance === 'string' ? instance : undefined
    const scopes = limits.filter((limit) => limit !== undefined).map(parseScopes)
    if (scopes.length > 0) this.#allows = (path) => scopes.every((each) => allows(each, path))
  }

  /** Returns the value itself if it contains no References. */
  replace(value: unknown, pointer: string, depth: number): unknown {
    if (typeof value === 'string') return value[0] === dagger ? this.#valueOf(value, pointer) : value
    if (typeof value !== 'object' || value === null) return value
    if (depth > maximumDepth) throw tooDeep()
    let replaced = value as JsonObject
    for (const name of Object.keys(value)) {
      const item = (value as JsonObject)[name]
      const found = this.replace(item, `${pointer}/${pointerSegment(name)}`, depth + 1)
      if (found === item) continue
      if (replaced === value) replaced = (Array.isArray(value) ? value.slice() : { ...value }) as JsonObject
      replaced[name] = found
    }
    return replaced
  }

  #valueOf(text: string, pointer: string): unknown {
    if (text[1] === dagger) return text.slice(1)
    try {
      const expression = parseReference(text)
      if (!expression) return text
      const value = evaluate(expression, this.#reader, this.#instance, this.#allows)
      if (value !== undefined) {
        requirePlain(text, value)
        const size = sizeOf(value)
        this.#copied.add(size, this.#copies)
        this.#reader.copied?.add(size, this.#copies)
        return copyJson(value)
      }
      const limited = this.#allows ? ' in what this Call may read' : ''
      const guesses = this.#problems.length < saidProblems ? this.#nearby(expression) : []
      this.#suggestions.push(...guesses)
      const hint = guesses.length > 0 ? `; did you mean ${guesses.join(' or ')}?` : ''
      this.#add(pointer, `a value at ${text}`, `nothing is there${limited}`, hint)
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'invalid_path') throw error
      this.#code = error.code
      this.#add(pointer, 'a path to data', error.message)
    }
    return text
  }

  #read(path: Path): unknown {
    const alone = { alternatives: [[path]], daggers: true }
    return evaluate(alone, this.#reader, this.#instance, this.#allows)
  }

  /** Suggests existing paths that are spelt almost like the first unresolved one. Considers only what the Call may read. */
  #nearby({ alternatives }: Expression): string[] {
    const missing = alternatives.flat().find((path) => this.#read(path) === undefined)
    if (!missing) return []
    const { kind, segments } = missing
    for (let length = segments.length - 1; length >= 0; length--) {
      const [before, after] = [segments.slice(0, length), segments.slice(length + 1)]
      const around = this.#read({ kind, segments: before })
      if (around === undefined) continue
      if (!isJsonObject(around)) return []
      return nearest(segments[length] ?? '', Object.keys(around))
        .map((name) => ({ kind, segments: [...before, name, ...after] }))
        .filter((path) => this.#read(path) !== undefined)
        .map(formatPath)
    }
    return []
  }

  #add(path: string, expected: string, received: string, hint: string = ''): void {
    if (this.#problems.length === mostProblems) this.#more += 1
    else
      this.#problems.push(saidProblem(path, expected, received, `expected ${expected}; ${received}${hint}`))
  }

  /** Throws one error that lists every Reference that did not resolve, if any. */
  report(): void {
    if (this.#problems.length === 0) return
    if (this.#more > 0) this.#problems.push(furtherProblems(this.#more, true))
    const found = listProblems(this.#problems)
    const what =
      this.#code === 'invalid_path'
        ? 'The Call refers to invalid paths'
        : 'The Call refers to what is not present'
    throw new CallError(
      this.#code,
      `${what}: ${ended(found)} For text that only looks like a Reference, use literal(text).`,
      { problems: this.#problems, suggestions: [...new Set(this.#suggestions)] },
    )
  }
}
