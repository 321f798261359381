import {
  type AnyActivity,
  type Call,
  createContext,
  createRegistry,
  type EventName,
  type Message,
} from 'callsheet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPath, type Path } from '../../../../../runtime/context/reference.ts'
import { runs } from '../../../../runs.ts'
import { instance, kind, log, segments } from '../state/random-log.ts'
import { disguised } from './disguised.ts'

const path: fc.Arbitrary<Path> = fc.record({ kind, segments })
const expression = fc
  .tuple(path, path, fc.constantFrom(undefined, ' || ', ' || ', ' && '))
  .map(([left, right, operator]) => formatPath(left) + (operator ? operator + formatPath(right) : ''))

/** A Call that looks where it can, written as a model would that wants to know more than it may. */
const wish = fc.record({
  value: fc.oneof(
    fc.constant('plain'),
    expression,
    fc.array(expression, { maxLength: 2 }),
    fc.record({ deep: expression }),
  ),
  _outputPath: fc.option(expression, { nil: undefined }),
  _delegate: fc.constantFrom(undefined, undefined, 'anonymous'),
})

/** How it is run: by an Activity that does one of these, or by the model. */
const behaviour = fc.constantFrom('return', 'throw', 'report', 'message', 'wrong output', 'latent')
const strategy = fc.constantFrom('run', 'all', 'any')

const events: readonly EventName[] = [
  'call:start',
  'call:end',
  'activity:missing',
  'activity:progress',
  'activity:retry',
  'activity:compare',
  'listener:error',
]

/** All that is shown to anybody while a Call runs, as one text. */
class Witness {
  readonly #seen: unknown[] = []

  readonly note = (...seen: unknown[]): void => {
    this.#seen.push(...seen)
  }

  get text(): string {
    return JSON.stringify(this.#seen.map(unfolded))
  }
}

/** With what JSON leaves out: an error's message and cause, and the members of a scoped context. */
function unfolded(value: unknown): unknown {
  if (value instanceof AggregateError) return [value.message, value.errors.map(unfolded)]
  if (value instanceof Error) return [value, value.message, unfolded(value.cause)]
  if (!Array.isArray(value)) return value
  const members = Object.getOwnPropertyNames(value).map((name) => value[name as never])
  return [value, members]
}

function activity(does: string, witness: Witness): AnyActivity {
  return (call, tool, context, run) => {
    witness.note(call, tool, context, run.id)
    if (does === 'throw') throw Object.assign(new Error(`saw ${JSON.stringify(call)}`), { context })
    if (does === 'report') run.emit({ call, context })
    if (does === 'message') return { type: 'data', kind: 'audit', data: { call } }
    return does === 'wrong output' ? { call } : 'done'
  }
}

function registryOf(scopes: readonly string[], does: string, witness: Witness) {
  const text = { type: 'string' }
  const look = {
    type: 'object',
    effects: 'read',
    properties: {
      value: {},
      _scopes: { const: scopes },
      _instance: text,
      _outputPath: text,
      _delegate: text,
      _output: text,
    },
  }
  const { Tool, Activity } = createRegistry({
    tools: { look },
    retry: { attempts: 2 },
    model: {
      answer: async (request) => {
        witness.note(request.call, request.context, request.tool, request.delegate)
        return 'done'
      },
    },
    confirm: (call, info) => {
      witness.note(call, info.context, info)
      return true
    },
    after: (outcome) => witness.note(outcome, outcome.error) as undefined,
  })
  if (does !== 'latent') Activity.register('look', activity(does, witness))
  for (const name of events) Tool.on(name, witness.note)
  return Tool
}

describe('what a Call lets anybody see', () => {
  test('SCOPE-1 INST-2 REF-1a REQ-12 nothing of another instance, and nothing outside its scopes', async () => {
    const arbitrary = fc.record({
      log,
      allowed: fc.array(path, { minLength: 1, maxLength: 3 }),
      as: instance,
      wish,
      does: behaviour,
      strategy,
      indexed: fc.boolean(),
      secret: fc.integer({ min: 1_000_000 }),
    })
    let succeeded = 0
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ log, allowed, as, wish, does, strategy, indexed, secret }) => {
        const messages = log.map((message) => disguised(message, allowed, as, secret))
        // The instance exists, so that its Calls run.
        const mine: Message[] = as === undefined ? [] : [{ type: 'state', state: {}, _instance: as }]
        const context = indexed ? createContext([...messages, ...mine]) : [...messages, ...mine]
        const witness = new Witness()
        const Tool = registryOf(allowed.map(formatPath), does, witness)
        const call: Call = JSON.parse(JSON.stringify({ _tool: 'look', ...wish, _instance: as }))
        if (strategy === 'run') {
          const outcome = await Tool.run(call, { context })
          witness.note(outcome, outcome.error)
          if (outcome.status === 'succeeded') succeeded++
        } else await Tool[strategy]([call, call], { context }).then(witness.note, witness.note)
        expect(witness.text).not.toContain(String(secret))
        // What it wrote is its own, or, where its Activity says so, everybody's.
        const after = 'messages' in context ? context.messages : context
        for (const { _instance } of after.slice(messages.length + mine.length)) {
          expect([undefined, as]).toContain(_instance)
        }
      }),
      { numRuns: runs(600) },
    )
    // Otherwise the Calls would all have been refused, and nothing proved.
    expect(succeeded).toBeGreaterThan(0)
  })
})
