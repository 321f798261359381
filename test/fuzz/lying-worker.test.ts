import { createRegistry, isCallsheetError, type Outcome } from 'callsheet'
import { restateActivities } from 'callsheet/restate'
import { remoteActivities } from 'callsheet/server'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'
import { hostileJson } from './hostile-json.ts'

const tools = {
  sum: {
    type: 'object',
    properties: { _tool: { const: 'sum' }, _output: { type: 'integer' } },
    required: ['_tool'],
  },
}

const longText = 'x'.repeat(5_000)
/** More than a model can read, each in the right form. */
const manyProblems = fc.constant(
  Array(300).fill({ path: longText, expected: longText, received: longText, message: longText }),
)
const problems = fc.oneof(fc.array(hostileJson), hostileJson, manyProblems)
const outcome = fc.record(
  {
    status: fc.oneof(fc.constantFrom('succeeded', 'failed', 'aborted', 'refused'), hostileJson),
    id: fc.oneof(fc.constant('own'), hostileJson),
    output: fc.oneof(fc.integer(), hostileJson),
    message: fc.oneof(fc.constant({ type: 'data', kind: 'result', data: 1 }), hostileJson),
    usage: fc.oneof(fc.record({ in: fc.nat(), out: fc.nat() }), hostileJson),
    error: fc.oneof(
      fc.record({
        name: fc.string(),
        code: fc.constantFrom('timeout', 'busy', 'aborted', 'activity_failed'),
        message: fc.string(),
        problems,
      }),
      hostileJson,
    ),
  },
  { requiredKeys: [] },
)
const problem = fc.record(
  {
    code: fc.oneof(fc.constantFrom('invalid_call', 'busy', '__proto__'), hostileJson),
    message: fc.oneof(fc.string(), hostileJson),
    detail: fc.oneof(fc.string(), hostileJson),
    problems,
    suggestions: fc.oneof(fc.array(hostileJson), hostileJson),
  },
  { requiredKeys: [] },
)
const event = fc.oneof(
  fc.tuple(fc.constantFrom('result', 'outcome'), outcome),
  fc.tuple(fc.constant('problem'), problem),
  fc.tuple(fc.constantFrom('progress', 'result', 'problem', ''), hostileJson),
)
const part = fc.oneof(
  event.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
  fc.constantFrom(
    ': still here\n\n',
    'event: result\ndata: {\n\n',
    'event: result\n\n',
    'data: {}\n\n',
    '\n\n\n',
    '\u0000',
  ),
  fc.string(),
)
const body = fc.oneof(
  { weight: 3, arbitrary: fc.array(part, { maxLength: 4 }).map((parts) => parts.join('')) },
  problem.map((data) => JSON.stringify(data)),
  outcome.map((data) => JSON.stringify(data)),
  hostileJson.map((data) => JSON.stringify(data)),
  fc.constant('x'.repeat(3_000_000)),
)

/** A body that comes in pieces, and may break off. */
function streamed(text: string, pieceSize: number, breaks: boolean): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length && breaks) controller.error(new TypeError('terminated'))
      else if (at >= bytes.length) controller.close()
      else controller.enqueue(bytes.subarray(at, at + pieceSize))
      at += pieceSize
    },
  })
}

fuzz(
  'SERVE-4 whatever a worker answers, the Call has one Outcome, and an error of ours says why',
  150,
  fc.record({
    status: fc.constantFrom(200, 200, 200, 204, 400, 429, 500),
    type: fc.constantFrom(
      'text/event-stream',
      'application/json',
      'application/problem+json',
      'text/html',
      '',
    ),
    body,
    pieceSize: fc.constantFrom(1, 2, 7, 64, 4_096, 65_536),
    breaks: fc.boolean(),
  }),
  async ({ status, type, body: text, pieceSize, breaks }) => {
    const { Tool, Activity } = createRegistry({ tools })
    const size = text.length > 100_000 ? 4_096 : pieceSize
    const fetch = async (): Promise<Response> =>
      new Response(status === 204 ? null : streamed(text, size, breaks), {
        status,
        headers: { 'content-type': type },
      })
    remoteActivities('http://worker.test', { Tool, Activity, fetch })
    const ended = await Tool.run({ _tool: 'sum' }, { id: 'own' })
    // Nobody aborted it here.
    expect(ended.status).not.toBe('aborted')
    requireHonest(ended)
  },
)

fuzz(
  'ACT-3a whatever an engine answers, the Call has one Outcome, and an error of ours says why',
  150,
  fc.record({
    // Not 503, nor what is no JSON: it would be asked again for six seconds.
    status: fc.constantFrom(200, 200, 200, 200, 404, 409, 422, 500),
    answer: fc.oneof({ weight: 3, arbitrary: outcome }, problem, hostileJson),
  }),
  async ({ status, answer }) => {
    const { Tool, Activity } = createRegistry({ tools })
    const fetch = async (): Promise<Response> => new Response(JSON.stringify(answer), { status })
    restateActivities('http://restate.test', { Tool, Activity, fetch })
    requireHonest(await Tool.run({ _tool: 'sum' }, { id: 'own' }))
  },
)

/** Requires an Outcome to be one of ours, whatever was answered. */
function requireHonest(ended: Outcome): void {
  for (const tokens of Object.values(ended.usage ?? {})) expect(tokens).toBeGreaterThanOrEqual(0)
  if (ended.status === 'succeeded') {
    if (ended.message === undefined) expect(Number.isInteger(ended.output)).toBe(true)
    return
  }
  expect(isCallsheetError(ended.error)).toBe(true)
  const { message, code, problems = [] } = ended.error as NonNullable<typeof ended.error>
  expect(message.length).toBeLessThan(12_000)
  expect(JSON.stringify(problems).length).toBeLessThan(600_000)
  // What went wrong there is said in our words, and never as a fault of the Activity that asks.
  expect(message).not.toMatch(
    /Cannot (read|destructure|convert)|is not (a function|iterable)|\[object Object\]/,
  )
  expect(typeof code).toBe('string')
  for (const each of problems) expect(typeof each.message).toBe('string')
  expect(() => JSON.stringify(ended)).not.toThrow()
}
