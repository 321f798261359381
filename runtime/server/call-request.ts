import type { Call, Message } from '../context/message.ts'
import type { Problem } from '../errors.ts'
import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly, extraProperty, oneOfWords, problem } from '../problems/problem.ts'
import type { ServerRequest } from './exchange.ts'
import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'

/** How to run the Calls of one request: independently, or as `Tool.all`, `any` or `race`. */
export type Strategy = 'each' | 'all' | 'any' | 'race'

/** One Call of a request. */
export interface RequestedCall {
  readonly call: Call
  /** The caller's idempotency key. */
  readonly id?: string | undefined
}

/** A parsed `POST /calls`. */
export interface CallRequest {
  readonly calls: readonly RequestedCall[]
  /** Absent for a single Call. */
  readonly strategy?: Strategy
  /** The Messages that References and scopes read. */
  readonly context: readonly Message[]
  /** The caller's run that contains the Calls (ACT-5). */
  readonly variantKey?: string | undefined
  /** The servers that the Calls passed, including this one. */
  readonly passed?: string | undefined
  /** The caller's attempt, from 1: a failed Outcome of an earlier attempt is not returned for it. */
  readonly attempt: number
  /** False: strings in parameters are never References. */
  readonly references: boolean
}

const strategies: readonly string[] = ['each', 'all', 'any', 'race'] satisfies Strategy[]
const fields: ReadonlySet<string> = new Set(['call', 'calls', 'id', 'strategy', 'context', 'references'])
const fieldsOfOne: ReadonlySet<string> = new Set(['call', 'id'])
/** The header with the id of a Call. */
export const idempotencyHeader = 'idempotency-key'
/** The header with the caller's run, URL-encoded. */
export const variantHeader = 'callsheet-variant-key'
/** The header with the caller's attempt, and its greatest number. */
export const attemptHeader = 'callsheet-attempt'
export const mostAttempts = 9_999
/** Longest id, in characters. */
export const longestId = 500

/**
 * Reads the body of `POST /calls`: a Call; `{ call, id?, context?, references? }`; or
 * `{ calls: [Call or { call, id }], strategy?, context?, references? }`.
 *
 * @throws ServerProblem `bad_request`, listing every problem; `too_large` for too many Calls.
 */
export function readCallRequest(body: unknown, request: ServerRequest, limits: ServerLimits): CallRequest {
  if (!isJsonObject(body)) throw refused([problem('', 'a Call, { call } or { calls }', body)])
  const key = idempotencyKey(request)
  const variantKey = variantKeyOf(request)
  const attempt = attemptOf(request)
  if (Object.hasOwn(body, '_tool')) {
    return { calls: [requested(body as Call, key)], context: [], references: true, variantKey, attempt }
  }
  const problems = unknownFields(body, fields, '')
  const { call, calls, id = key, strategy, context = [], references = true } = body
  if ((call === undefined) === (calls === undefined))
    problems.push(problem('', 'either "call" or "calls"', body))
  if (call !== undefined && !isJsonObject(call)) problems.push(problem('/call', 'a Call', call))
  if (calls !== undefined && !Array.isArray(calls)) problems.push(problem('/calls', 'a list of Calls', calls))
  if (calls !== undefined && id !== undefined) problems.push(problem('/id', 'an id with each Call', id))
  if (key !== undefined && id !== key)
    problems.push(problem('/id', `${JSON.stringify(key)}, as in the header idempotency-key, or no id`, id))
  if (!isId(id)) problems.push(problem('/id', `a Unicode text of 1 to ${longestId} characters`, id))
  if (!Array.isArray(context)) problems.push(problem('/context', 'a list of Messages', context))
  else problems.push(...toolsInMessages(context))
  if (typeof references !== 'boolean') problems.push(problem('/references', 'true or false', references))
  if (strategy !== undefined && !strategies.includes(strategy as string)) {
    problems.push(problem('/strategy', oneOfWords(strategies.map((each) => JSON.stringify(each))), strategy))
  } else if (strategy !== undefined && call !== undefined) {
    problems.push(problem('/strategy', 'no strategy with one Call', strategy))
  }
  if (Array.isArray(calls)) requireFewCalls(calls.length, limits)
  const read = Array.isArray(calls)
    ? calls.map((each, index) => readOne(each, index, problems))
    : [requested(call as Call, id as string | undefined)]
  if (Array.isArray(calls) && strategy !== undefined && strategy !== 'each') {
    // Ids cannot be used in a group: which Calls ran, and may run again, depends on all of them.
    for (const [index, { id: own }] of read.entries())
      if (own !== undefined)
        problems.push(problem(`/calls/${index}/id`, `no id with the strategy ${briefly(strategy)}`, own))
  }
  if (problems.length > 0) throw refused(problems)
  return {
    calls: read,
    ...(Array.isArray(calls) && { strategy: (strategy ?? 'each') as Strategy }),
    context: context as Message[],
    references: references as boolean,
    variantKey,
    attempt,
  }
}

/** @throws ServerProblem `too_large` for more Calls than a request may have. */
export function requireFewCalls(count: number, { callsPerRequest }: ServerLimits): void {
  if (count <= callsPerRequest) return
  throw new ServerProblem('too_large', `A request takes at most ${callsPerRequest} Calls, got ${count}.`)
}

/** Refuses `tool` Messages: the server and the principal decide which Tools exist, not the client (SERVE-6). */
function toolsInMessages(context: readonly unknown[]): Problem[] {
  return context.flatMap((message, index) =>
    isJsonObject(message) && own(message, 'type') === 'tool'
      ? [problem(`/context/${index}`, 'a Message that brings no Tool along', message)]
      : [],
  )
}

/** Refuses unknown properties: an unnoticed misspelt "id" would let a write run twice. */
function unknownFields(given: JsonObject, known: ReadonlySet<string>, path: string): Problem[] {
  return Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => extraProperty(`${path}/${pointerSegment(name)}`, given[name], nearest(name, known)))
}

function readOne(each: unknown, index: number, problems: Problem[]): RequestedCall {
  if (!isJsonObject(each)) {
    problems.push(problem(`/calls/${index}`, 'a Call or { call, id }', each))
    return { call: { _tool: '' } }
  }
  if (Object.hasOwn(each, '_tool')) return { call: each as Call }
  problems.push(...unknownFields(each, fieldsOfOne, `/calls/${index}`))
  if (!isJsonObject(each.call)) problems.push(problem(`/calls/${index}/call`, 'a Call', each.call))
  if (!isId(each.id))
    problems.push(problem(`/calls/${index}/id`, `a Unicode text of 1 to ${longestId} characters`, each.id))
  return requested(each.call as Call, each.id as string | undefined)
}

/**
 * Reads the id in the header `idempotency-key`, if present.
 *
 * @throws ServerProblem `bad_request` for one that is empty or too long.
 */
export function idempotencyKey(request: ServerRequest): string | undefined {
  const key = request.header(idempotencyHeader)
  if (isId(key)) return key
  throw new ServerProblem(
    'bad_request',
    `The header idempotency-key takes 1 to ${longestId} characters, got ${key?.length}.`,
  )
}

/** @throws ServerProblem `bad_request` if it is not URL-encoded. */
function variantKeyOf(request: ServerRequest): string | undefined {
  const said = request.header(variantHeader)
  try {
    return said === undefined || said === '' ? undefined : decodeURIComponent(said)
  } catch {
    throw new ServerProblem('bad_request', `The header ${variantHeader} is not written as a part of a URL.`)
  }
}

/** @throws ServerProblem `bad_request` if it is not a number. */
function attemptOf(request: ServerRequest): number {
  const said = request.header(attemptHeader) ?? '1'
  if (/^[1-9]\d{0,3}$/.test(said)) return Number(said)
  throw new ServerProblem(
    'bad_request',
    `The header ${attemptHeader} takes a whole number from 1 to ${mostAttempts}.`,
  )
}

function requested(call: Call, id: string | undefined): RequestedCall {
  return id === undefined ? { call } : { call, id }
}

/** Refuses lone surrogates: in UTF-8, as a store may write it, they all become the same character. */
export function isId(id: unknown): boolean {
  if (id === undefined) return true
  return typeof id === 'string' && id.length > 0 && id.length <= longestId && !/\p{Surrogate}/u.test(id)
}

function refused(problems: readonly Problem[]): ServerProblem {
  const [first] = problems
  return new ServerProblem('bad_request', `The body is not a request for Calls. ${first?.message ?? ''}`, {
    problems,
  })
}
