import { maskSource } from '../load/mask-source.ts'
import type { SourcePosition } from '../model.ts'
import { type ActivityOrigin, activityBindings, expressionOf, load } from './activity-bindings.ts'

/** A call of `Activity.register` in a source file. */
export interface Registration {
  readonly name: string
  readonly at: SourcePosition
}

/** The registrations in a source text. */
export interface SourceRegistrations {
  readonly registrations: readonly (Registration & { readonly origin: ActivityOrigin })[]
  /** Registrations with computed names. */
  readonly computed: readonly { readonly at: SourcePosition; readonly origin: ActivityOrigin }[]
}

/** Part of every registration. Most files need only the search for it. */
const marker = 'register'

/** Matches a string literal as the whole argument: no longer expression, and no template with placeholders. */
const literalArgument = String.raw`(?<quote>['"\`])(?<name>(?:[^'"\`\\\n$]|\$(?!\{))+)\k<quote>\s*[,)]`

const nothing: SourceRegistrations = { registrations: [], computed: [] }

/** Matches what is between the function and its first argument: type arguments, which may be functions themselves. */
const open = String.raw`\s*!?\s*(?:\?\.\s*)?(?:<(?:[^()]|\([^()]*\)(?=\s*=>))*>\s*)?\(\s*`

/**
 * Finds the registrations in a source by a text scan, without parsing or running it. Ignores comments and strings. For a
 * computed name, only the position is found.
 *
 * @param file The file's path in positions.
 */
export function registrationsIn(text: string, file: string): SourceRegistrations {
  if (!text.includes(marker) || !text.includes('Activity')) return nothing
  const uncommented = maskSource(text, 'comments')
  const code = maskSource(text, 'comments and strings')
  const bindings = activityBindings(uncommented)
  const origins = new Map(
    bindings.map(({ name, is, origin }) => [is === 'register' ? name : `${name}.register`, origin]),
  )
  const functions = [...origins.keys()].map(expressionOf).join('|')
  const ofLoaded = `${load}\\s*\\)?${expressionOf('.Activity.register')}`
  const calls = new RegExp(`(?<![\\w$.])(?:(${functions})|${ofLoaded})${open}(?:${literalArgument})?`, 'g')
  const registrations: SourceRegistrations['registrations'][number][] = []
  const computed: SourceRegistrations['computed'][number][] = []
  for (const { 1: callee = '', index, groups } of uncommented.matchAll(calls)) {
    if (code[index] === ' ') continue
    const origin = groups?.from ?? origins.get(callee.replace(/[\s?!]/g, ''))
    const at = positionOf(text, index, file)
    const name = groups?.name
    if (name === undefined) computed.push({ at, origin })
    else registrations.push({ name, at, origin })
  }
  return { registrations, computed }
}

function positionOf(text: string, offset: number, file: string): SourcePosition {
  const before = text.slice(0, offset)
  return { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
