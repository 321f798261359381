import type { Call, Message } from 'callsheet'
import { parseExpression } from '../../runtime/context/reference.ts'
import { at, foldOracle } from '../unit/runtime/context/state/fold-oracle.ts'

interface Path {
  readonly kind: string
  readonly segments: readonly string[]
}

/** What an Activity does. */
export type Deed =
  | { readonly gives: unknown }
  | { readonly fails: true }
  | { readonly branch: string; readonly data: unknown }
  | { readonly message: Message }

/** What comes of a Call that runs on its own, or what each of a group would come to. */
export interface ModelEnd {
  readonly status: 'succeeded' | 'failed'
  readonly code?: string
  readonly ran: boolean
  /** What it read, where it ran. */
  readonly of?: unknown
  readonly output?: unknown
  /** Whether it gives its output to who called it: a Message may have taken another branch (OUT-7). */
  readonly isGiven: boolean
  /** What it writes when it succeeds. */
  readonly written: readonly Message[]
  /** What it writes on its own when it fails (OUT-6). */
  readonly alternative: readonly Message[]
}

/**
 * Carries out a Call the slow and obvious way (CALL-1, OUT-2 to OUT-7, REF-1 to REF-3, SCOPE-2, INST-1).
 *
 * @param limits What its References may read: each list lets through what it names (REF-1a).
 */
export function modelCall(
  call: Call,
  context: readonly Message[],
  deed: Deed,
  limits: readonly (readonly string[])[],
): ModelEnd {
  const { _instance: instance, of: read } = call as { _instance?: string; of?: unknown }
  const refused = (code: string): ModelEnd => ({
    status: 'failed',
    code,
    ran: false,
    isGiven: false,
    written: [],
    alternative: [],
  })
  if (instance !== undefined && !context.some(({ _instance }) => _instance === instance))
    return refused('unknown_instance')
  let of = read
  if (typeof read === 'string' && read.startsWith('†')) {
    of = readIn(read, limits, context, instance)
    if (of === undefined) return refused('unresolved_reference')
  }
  const alternatives = alternativesOf(call)
  const failed = (code: string, name: string): ModelEnd => ({
    status: 'failed',
    code,
    ran: true,
    of,
    isGiven: false,
    written: [],
    alternative: alternatives.length > 1 ? writes(call, alternatives.at(-1) ?? [], { name, code }) : [],
  })
  const succeeded = { status: 'succeeded', ran: true, of, alternative: [] } as const
  if ('fails' in deed) return failed('activity_failed', 'Error')
  if ('gives' in deed) {
    const written = writes(call, alternatives[0] ?? [], deed.gives)
    return { ...succeeded, output: deed.gives, isGiven: true, written }
  }
  if ('branch' in deed) {
    const { branch, data } = deed
    if (alternatives.length === 0) {
      const own = instance !== undefined && { _instance: instance }
      const told: Message = { type: 'data', kind: 'result', data: { [branch]: data }, ...own }
      return { ...succeeded, isGiven: false, written: [told] }
    }
    const taken = alternatives.findIndex((paths) =>
      paths.some(({ kind, segments }) => (segments.at(-1) ?? kind) === branch),
    )
    if (taken < 0) return failed('invalid_output', 'OutputError')
    const written = writes(call, alternatives[taken] ?? [], data)
    return taken === 0
      ? { ...succeeded, output: data, isGiven: true, written }
      : { ...succeeded, isGiven: false, written }
  }
  const { message } = deed
  if (message._instance !== undefined && message._instance !== instance)
    return failed('invalid_output', 'OutputError')
  const values = alternatives.map((paths) =>
    paths
      .map(({ kind, segments }) => at(foldOracle([held(message)], kind), segments))
      .find((value) => value !== undefined),
  )
  const first = values.findIndex((value) => value !== undefined)
  if (alternatives.length === 0) {
    const data = 'data' in message ? message.data : 'state' in message ? message.state : undefined
    return { ...succeeded, ...(data !== undefined && { output: data }), isGiven: true, written: [message] }
  }
  return first === 0
    ? { ...succeeded, output: values[0], isGiven: true, written: [message] }
    : { ...succeeded, isGiven: false, written: [message] }
}

/** The Message as what it holds: not to whom, nor how it is added to what was there. */
const held = ({ _instance, _outputMethod, ...rest }: Message & { _outputMethod?: unknown }): Message =>
  rest as Message

function alternativesOf({ _outputPath }: Call): readonly (readonly Path[])[] {
  return typeof _outputPath === 'string' ? (parseExpression(_outputPath)?.alternatives ?? []) : []
}

function writes({ _outputMethod, _instance }: Call, paths: readonly Path[], value: unknown): Message[] {
  return paths.map(
    ({ kind, segments }) =>
      ({
        type: 'data',
        kind,
        data: segments.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value),
        _path: `†${[kind, ...segments].join('.')}`,
        ...(_outputMethod !== undefined && { _outputMethod }),
        ...(_instance !== undefined && { _instance }),
      }) as Message,
  )
}

/** What a Reference stands for; undefined where it is not there, or a limit keeps it out. */
function readIn(
  text: string,
  limits: readonly (readonly string[])[],
  context: readonly Message[],
  instance: string | undefined,
): unknown {
  const isAllowed = ({ kind, segments }: Path): boolean =>
    limits.every((scopes) =>
      scopes.some((scope) => {
        if (!scope.startsWith('†')) return scope === kind
        const [of, ...way] = scope.slice(1).split('.')
        return of === kind && way.every((name, index) => name === segments[index])
      }),
    )
  for (const paths of parseExpression(text)?.alternatives ?? []) {
    const values = paths.map((path) =>
      isAllowed(path) ? at(foldOracle(context, path.kind, instance), path.segments) : undefined,
    )
    if (!values.includes(undefined)) return values.at(-1)
  }
  return undefined
}

/** What is wrong with what an Activity was shown, beside what its scopes let through (SCOPE-1, INST-2). */
export function wrongWithView(
  seen: readonly Message[],
  scopes: readonly string[],
  context: readonly Message[],
  instance: string | undefined,
): string | undefined {
  const kindOf = (message: Message): string =>
    message.type === 'data' ? (message.kind ?? 'data') : message.type
  const kinds = scopes.filter((scope) => !scope.startsWith('†'))
  const ways = scopes
    .filter((scope) => scope.startsWith('†'))
    .map((scope) => scope.slice(1).split('.'))
    .filter(([kind]) => !kinds.includes(kind as string))
  const isSeen = ({ _instance }: Message): boolean => _instance === undefined || _instance === instance
  const whole = context.filter((message) => isSeen(message) && kinds.includes(kindOf(message)))
  const shown = seen.filter((message) => kinds.includes(kindOf(message)))
  if (JSON.stringify(shown) !== JSON.stringify(whole)) return 'other Messages of the kinds'
  for (const message of seen) {
    if (!isSeen(message)) return 'a Message of another instance'
    if (![...kinds, ...ways.map(([kind]) => kind)].includes(kindOf(message))) return 'another kind'
  }
  for (const [kind = '', ...way] of ways) {
    const read = (messages: readonly Message[]): string | undefined =>
      JSON.stringify(at(foldOracle(messages, kind, instance), way))
    if (read(seen) !== read(context))
      return `†${[kind, ...way].join('.')} reads ${read(seen)}, not ${read(context)}`
    // What stands beside the way is out of sight.
    const outside = foldOracle(seen, kind, instance)
    const left = beside(
      outside,
      ways.filter(([of]) => of === kind).map(([, ...rest]) => rest),
    )
    if (left !== undefined) return `${left} can be seen`
  }
  return undefined
}

/** Something in a value that is not on one of the ways. */
function beside(value: unknown, ways: readonly (readonly string[])[]): string | undefined {
  if (ways.some((way) => way.length === 0)) return undefined
  if (typeof value !== 'object' || value === null) return value == null ? undefined : JSON.stringify(value)
  for (const [name, part] of Object.entries(value)) {
    const on = ways.filter(([head]) => head === name).map(([, ...rest]) => rest)
    const left =
      on.length === 0 ? (part === null ? undefined : JSON.stringify({ [name]: part })) : beside(part, on)
    if (left !== undefined) return left
  }
  return undefined
}
