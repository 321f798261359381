import { size } from './is-linear.ts'
import type { Matcher } from './matcher.ts'
import { type Pattern, parsePattern } from './parse-pattern.ts'

/** A pattern that needs more steps for each character is refused. */
const mostStates = 2000

/** One step of the matching machine. */
export type State =
  | { readonly op: 'character'; readonly test: (character: string) => boolean; readonly next: number }
  | { readonly op: 'assertion'; readonly kind: '^' | '$' | '\\b' | '\\B'; readonly next: number }
  /** Two ways on. A loop goes on at `other` when it repeats. */
  | { readonly op: 'split'; readonly next: number; other: number }
  | { readonly op: 'found' }

/**
 * Makes a matcher that follows all ways through a pattern at once, so that its time grows with the text and no faster,
 * whatever the pattern. It is slower than a regular expression where that is fast.
 *
 * @returns undefined for a pattern that looks around, refers back, or is too large.
 */
export function linearMatcher(source: string): Matcher | undefined {
  const machine = compilePattern(source)
  return machine && { test: (text) => isFound(text, machine.states, machine.start) }
}

/** A pattern as a matching machine. */
export interface Machine {
  readonly states: readonly State[]
  readonly start: number
}

/** Compiles a pattern; undefined for one that {@link linearMatcher} cannot match. */
export function compilePattern(source: string): Machine | undefined {
  const pattern = parsePattern(source)
  if (!isPlain(pattern) || size(pattern) > mostStates) return undefined
  const states: State[] = [{ op: 'found' }]
  const start = compile(pattern, 0, states)
  return { states, start }
}

function isPlain(pattern: Pattern): boolean {
  if (pattern.op === 'look' || pattern.op === 'unknown') return false
  if (pattern.op === 'repeat') return isPlain(pattern.part)
  return !('parts' in pattern) || pattern.parts.every(isPlain)
}

/** Adds the states of a pattern, which goes on at `next`; gives its first. */
function compile(pattern: Pattern, next: number, states: State[]): number {
  const add = (state: State): number => states.push(state) - 1
  switch (pattern.op) {
    case 'character': {
      const expression = new RegExp(`^${pattern.source}$`, 'u')
      return add({ op: 'character', test: (character) => expression.test(character), next })
    }
    case 'assertion':
      return add({ op: 'assertion', kind: pattern.kind, next })
    case 'sequence':
      return pattern.parts.reduceRight((after, part) => compile(part, after, states), next)
    case 'choice':
      return pattern.parts
        .map((part) => compile(part, next, states))
        .reduceRight((other, first) => add({ op: 'split', next: first, other }))
    case 'repeat':
      return compileRepeat(pattern, next, states)
    default:
      throw new TypeError('the matcher was asked for a pattern that it cannot match')
  }
}

function compileRepeat(
  { part, least, most }: Pattern & { op: 'repeat' },
  next: number,
  states: State[],
): number {
  let start = next
  if (most === Number.POSITIVE_INFINITY) {
    const loop: State = { op: 'split', next, other: next }
    start = states.push(loop) - 1
    loop.other = compile(part, start, states)
  } else {
    for (let count = least; count < most; count++) {
      start = states.push({ op: 'split', next, other: compile(part, start, states) }) - 1
    }
  }
  for (let count = 0; count < least; count++) start = compile(part, start, states)
  return start
}

function isFound(text: string, states: readonly State[], start: number): boolean {
  const seen = new Int32Array(states.length).fill(-1)
  let current: number[] = []
  let before = ''
  let step = 0
  const characters = text[Symbol.iterator]()
  for (let { value: character } = characters.next(); ; { value: character } = characters.next()) {
    // A match may begin at each character.
    const reached = closure([start, ...current], states, seen, step, before, character)
    if (reached === undefined) return true
    if (character === undefined) return false
    current = reached.flatMap((state) => (state.test(character as string) ? [state.next] : []))
    before = character
    step += 1
  }
}

/** The states that wait for a character; undefined when the pattern has been found. */
function closure(
  from: readonly number[],
  states: readonly State[],
  seen: Int32Array,
  step: number,
  before: string,
  after: string | undefined,
): (State & { op: 'character' })[] | undefined {
  const pending = [...from]
  const waiting: (State & { op: 'character' })[] = []
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (seen[index] === step) continue
    seen[index] = step
    const state = states[index]
    if (!state || state.op === 'found') return undefined
    if (state.op === 'character') waiting.push(state)
    else if (state.op === 'split') pending.push(state.next, state.other)
    else if (holds(state.kind, before, after)) pending.push(state.next)
  }
  return waiting
}

function holds(kind: '^' | '$' | '\\b' | '\\B', before: string, after: string | undefined): boolean {
  if (kind === '^') return before === ''
  if (kind === '$') return after === undefined
  return (/^\w$/.test(before) !== /^\w$/.test(after ?? '')) === (kind === '\\b')
}
