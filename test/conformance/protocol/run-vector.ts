import { createContext, createRegistry, isCallsheetError, type Message, type Outcome } from 'callsheet'
import { expect } from 'vitest'
import { activityOf, type Vector, type Witness } from './vector.ts'

/** The files of vectors, each with what carries one out and compares what comes of it with what is wanted. */
export const vectorRunners: Readonly<Record<string, (vector: Vector) => void | Promise<void>>> = {
  resolution: checkOutcome,
  validation: checkOutcome,
  output: checkOutcome,
  references: checkOutcome,
  scopes: checkOutcome,
  safety: checkOutcome,
  'second-edition': checkOutcome,
  strategies: checkStrategy,
  reading: checkReading,
  parse: checkParsing,
}

async function checkOutcome(vector: Vector): Promise<void> {
  const { Tool, witness, events } = setUp(vector)
  const context = vector.context ?? []
  const before = structuredClone(context)
  const call = vector.callText === undefined ? vector.call : JSON.parse(vector.callText)
  const outcome = await Tool.run(call, { context, ...vector.options })
  expect(context).toEqual(before)
  expectOutcome(outcome, vector.want as OutcomeWant, witness, events)
}

async function checkStrategy(vector: Vector): Promise<void> {
  const { Tool, witness } = setUp({ ...vector, activities: endless(vector) })
  const context = createContext(vector.context)
  const options = { context, ...(vector.allowEffects && { allowEffects: true }) }
  const settled = await Tool[vector.strategy ?? 'all'](vector.calls ?? [], options).then(
    (resolved) => ({ resolved }),
    (rejected: unknown) => ({ rejected }),
  )
  const want = vector.want as StrategyWant
  if (want.resolved !== undefined) expect(settled).toEqual({ resolved: want.resolved })
  if (want.rejected) expectError((settled as { rejected: unknown }).rejected, want.rejected)
  if (want.appended) expect(context.messages).toMatchObject(want.appended)
  if (want.appended) expect(context.messages).toHaveLength(want.appended.length)
  if (want.aborted) expect(witness.aborted).toEqual(want.aborted)
  if (want.ran) expect(witness.ran).toEqual(want.ran)
}

/** Who sleeps longer than `withinMs` never wakes: waiting for it would not be late but for ever, whatever the machine. */
function endless({ activities = {}, want }: Vector): NonNullable<Vector['activities']> {
  const { withinMs = Number.POSITIVE_INFINITY } = want as StrategyWant
  const asleep = Object.entries(activities).map(([name, fake]) => {
    return [name, (fake.sleep ?? 0) > withinMs ? { ...fake, sleep: 2 ** 31 - 1 } : fake] as const
  })
  return Object.fromEntries(asleep)
}

function checkReading(vector: Vector): void {
  const read = (): unknown => createContext(vector.context).read(vector.read ?? '')
  const want = vector.want as { absent?: boolean; error?: ErrorWant } | null
  if (want?.error) expectError(caught(read), want.error)
  else expect(read()).toEqual(want?.absent ? undefined : want)
}

function checkParsing(vector: Vector): void {
  const { Tool } = setUp({ ...vector, tools: vector.tool ? { [vector.tool]: positionalTool(vector) } : {} })
  const parse = (): unknown =>
    vector.tool ? [Tool.parse.tuple(vector.tool, vector.text)] : Tool.parse(vector.text)
  const want = vector.want as { error?: ErrorWant }
  if (want.error) expectError(caught(parse), want.error)
  else expect(parse()).toEqual(want)
}

interface ErrorWant {
  readonly name?: string
  readonly code?: string
  readonly paths?: readonly string[]
  readonly suggestions?: readonly string[]
  readonly cause?: string
  readonly errors?: number
}

interface OutcomeWant extends Partial<Omit<Outcome, 'error' | 'appended'>> {
  readonly error?: ErrorWant
  readonly appended?: readonly Message[]
  readonly ran?: readonly string[]
  readonly seen?: { readonly call?: object; readonly context?: readonly Message[] }
  readonly events?: readonly string[]
}

interface StrategyWant {
  readonly resolved?: unknown
  readonly rejected?: ErrorWant
  readonly appended?: readonly Message[]
  readonly aborted?: readonly string[]
  readonly ran?: readonly string[]
  readonly withinMs?: number
}

function setUp(vector: Vector) {
  const { tools = {}, activities = {}, options } = vector
  const { Tool, Activity } = createRegistry({ tools, ...options })
  const witness: Witness = { ran: [], aborted: [], seen: [] }
  const events: string[] = []
  Tool.on('activity:missing', () => events.push('activity:missing'))
  for (const [name, fake] of Object.entries(activities))
    Activity.register(name, activityOf(name, fake, witness))
  return { Tool, witness, events }
}

function expectOutcome(
  outcome: Outcome,
  want: OutcomeWant,
  witness: Witness,
  events: readonly string[],
): void {
  const { error, appended, ran, seen, events: wantedEvents, ...fields } = want
  expect(outcome).toMatchObject(fields)
  if (error) expectError(outcome.error, error)
  else if (fields.status === 'succeeded') expect(outcome.error).toBeUndefined()
  if (appended) {
    expect(outcome.appended).toMatchObject(appended)
    expect(outcome.appended).toHaveLength(appended.length)
  }
  if (ran) expect(witness.ran).toEqual(ran)
  if (seen?.call) expect(witness.seen[0]?.call).toEqual(seen.call)
  if (seen?.context) expect(witness.seen[0]?.context).toEqual(seen.context)
  if (wantedEvents) expect(events).toEqual(wantedEvents)
}

function expectError(error: unknown, want: ErrorWant): void {
  expect(error).toBeInstanceOf(Error)
  const { name, code, paths, suggestions = [], cause, errors } = want
  if (name) expect((error as Error).name).toBe(name)
  if (errors !== undefined) expect((error as AggregateError).errors).toHaveLength(errors)
  if (cause) expect(((error as Error).cause as Error).message).toBe(cause)
  if (code === undefined) return
  if (!isCallsheetError(error)) throw error
  expect(error.code).toBe(code)
  if (paths) expect(error.problems?.map(({ path }) => path).sort()).toEqual([...paths].sort())
  for (const suggestion of suggestions) expect(error.suggestions).toContain(suggestion)
}

function positionalTool({ params = [] }: Vector): object {
  return { type: 'object', properties: Object.fromEntries(params.map((name) => [name, { type: 'string' }])) }
}

function caught(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
