import type { Call, Message } from '../context/message.ts'
import type { Problem } from '../errors.ts'
import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly, extraProperty, oneOfWords, problem } from '../problems/problem.ts'
import type { ServerRequest } from './exchange.ts'
import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'

/** How the Calls of one request belong together: each for itself, or as `Tool.all`, `any` or `race`. */
export type Strategy = 'each' | 'all' | 'any' | 'race'

/** One Call of a request. */
export interface RequestedCall {
  readonly call: Call
  /** The idempotency key that the caller chose. */
  readonly id?: string | undefined
}

/** What `POST /calls` asks for. */
export interface CallRequest {
  readonly calls: readonly RequestedCall[]
  /** Absent for a single Call. */
  readonly strategy?: Strategy
  /** The Messages that References and scopes read. */
  readonly context: readonly Message[]
  /** The run that the Calls are part of, as the caller knows it (ACT-5). */
  readonly variantKey?: string | undefined
  /** The servers by which the Calls came, this one included. */
  readonly passed?: string | undefined
  /** Which attempt of the caller's own it is, from 1: the runs before it that failed are no answer to it. */
  readonly attempt: number
  /** False: parameters are as they are, References in them are text. */
  readonly references: boolean
}

const strategies: readonly string[] = ['each', 'all', 'any', 'race'] satisfies Strategy[]
const fields: ReadonlySet<string> = new Set(['call', 'calls', 'id', 'strategy', 'context', 'references'])
const fieldsOfOne: ReadonlySet<string> = new Set(['call', 'id'])
/** The header in which a caller says which run its Calls are part of, as a part of a URL is written. */
export const variantHeader = 'callsheet-variant-key'
/** The header in which a caller says which attempt of its own a request is. */
export const attemptHeader = 'callsheet-attempt'
/** Longer than what callers need: a server that hands a Call on puts the caller before the id. */
const longestId = 500

/**
 * Reads the body of `POST /calls`: a Call; `{ call, id?, context?, references? }`; or
 * `{ calls: [Call or { call, id }], strategy?, context?, references? }`.
 *
 * @throws ServerProblem `bad_request` with everything that is wrong; `too_large` for too many Calls.
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
  if (!isId(id)) problems.push(problem('/id', `a text of 1 to ${longestId} characters`, id))
  if (!Array.isArray(context)) problems.push(problem('/context', 'a list of Messages', context))
  else problems.push(...toolsInMessages(context))
  if (typeof references !== 'boolean') problems.push(problem('/references', 'true or false', references))
  if (strategy !== undefined && !strategies.includes(strategy as string)) {
    problems.push(problem('/strategy', oneOfWords(strategies.map((each) => JSON.stringify(each))), strategy))
  } else if (strategy !== undefined && call !== undefined) {
    problems.push(problem('/strategy', 'no strategy with one Call', strategy))
  }
  if (Array.isArray(calls) && calls.length > limits.callsPerRequest) {
    throw new ServerProblem(
      'too_large',
      `A request takes at most ${limits.callsPerRequest} Calls, got ${calls.length}.`,
    )
  }
  const read = Array.isArray(calls)
    ? calls.map((each, index) => readOne(each, index, problems))
    : [requested(call as Call, id as string | undefined)]
  if (Array.isArray(calls) && strategy !== undefined && strategy !== 'each') {
    // Which of them ran, and whether they may again, depends on all of them together.
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

/** The server, and who asks, decide which Tools there are: a client brings none along (SERVE-6). */
function toolsInMessages(context: readonly unknown[]): Problem[] {
  return context.flatMap((message, index) =>
    isJsonObject(message) && own(message, 'type') === 'tool'
      ? [problem(`/context/${index}`, 'a Message that brings no Tool along', message)]
      : [],
  )
}

/** A misspelt "id" that went unseen would let a write run twice. */
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
    problems.push(problem(`/calls/${index}/id`, `a text of 1 to ${longestId} characters`, each.id))
  return requested(each.call as Call, each.id as string | undefined)
}

/**
 * The id in the header `idempotency-key`, if there is one.
 *
 * @throws ServerProblem `bad_request` for one that is empty or too long.
 */
export function idempotencyKey(request: ServerRequest): string | undefined {
  const key = request.header('idempotency-key')
  if (isId(key)) return key
  throw new ServerProblem(
    'bad_request',
    `The header idempotency-key takes 1 to ${longestId} characters, got ${key?.length}.`,
  )
}

/** @throws ServerProblem `bad_request` for one that is no part of a URL. */
function variantKeyOf(request: ServerRequest): string | undefined {
  const said = request.header(variantHeader)
  try {
    return said === undefined || said === '' ? undefined : decodeURIComponent(said)
  } catch {
    throw new ServerProblem('bad_request', `The header ${variantHeader} is not written as a part of a URL.`)
  }
}

/** @throws ServerProblem `bad_request` for one that is no number. */
function attemptOf(request: ServerRequest): number {
  const said = request.header(attemptHeader) ?? '1'
  if (/^[1-9]\d{0,3}$/.test(said)) return Number(said)
  throw new ServerProblem('bad_request', `The header ${attemptHeader} takes a whole number from 1 to 9999.`)
}

function requested(call: Call, id: string | undefined): RequestedCall {
  return id === undefined ? { call } : { call, id }
}

function isId(id: unknown): boolean {
  return id === undefined || (typeof id === 'string' && id.length > 0 && id.length <= longestId)
}

function refused(problems: readonly Problem[]): ServerProblem {
  const [first] = problems
  return new ServerProblem('bad_request', `The body is not a request for Calls. ${first?.message ?? ''}`, {
    problems,
  })
}
