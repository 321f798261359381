import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { type AnyActivity, type Call, type CallTracer, type RunOptions, tool } from 'callsheet'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { deaf, number, registryOf, sleep } from './harness.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const described = tool('double', { n: number, _output: number }, { description: 'Doubles.', effects: 'read' })
const call = { _tool: 'double', n: 1 }

const setUp = (double: AnyActivity) => registryOf({ double }, { tools: { described } })

/** The spans of one run, in the order in which they ended. */
async function spansOf(double: AnyActivity, given: Call, options?: RunOptions): Promise<ReadableSpan[]> {
  exporter.reset()
  await setUp(double).Tool.run(given, options)
  return exporter.getFinishedSpans()
}

describe('CALL-10 without OpenTelemetry', () => {
  test('nothing is traced', async () => {
    expect(await spansOf(() => 2, call)).toEqual([])
  })
})

describe('CALL-10 with OpenTelemetry set up', () => {
  beforeAll(() => {
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  })
  afterAll(() => {
    trace.disable()
    context.disable()
  })
  afterEach(() => exporter.reset())

  test('a span by the GenAI conventions, without content', async () => {
    const { Tool } = setUp(({ n }) => n * 2)
    const { id } = await Tool.run(call)
    const [span] = exporter.getFinishedSpans()
    expect(span).toMatchObject({ name: 'execute_tool double', kind: SpanKind.INTERNAL, ended: true })
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'double',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.description': 'Doubles.',
    })
    expect(span?.status).toEqual({ code: SpanStatusCode.UNSET })
    expect(span?.events).toEqual([])
  })

  test('a name that a model made up names no span, and no long one an attribute', async () => {
    const { Tool } = setUp(({ n }) => n * 2)
    await Tool.run({ ...call, _tool: 'made.up'.repeat(100) })
    const [span] = exporter.getFinishedSpans()
    expect(span?.name).toBe('execute_tool')
    expect(String(span?.attributes['gen_ai.tool.name'])).toHaveLength(200)
  })

  test('captureContent adds arguments, result, and messages of errors', async () => {
    const telemetry = { captureContent: true }
    const [good] = await spansOf(() => 2, { ...call, _reasoningForCall: 'why not' }, { telemetry })
    expect(good?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"n":1}',
      'gen_ai.tool.call.result': '2',
    })
    const [bad] = await spansOf(() => 2, { ...call, n: 'secret' }, { telemetry })
    expect(bad?.status.message).toContain('secret')
  })

  test.each<[string, RunOptions]>([
    ['confirm', { confirm: () => ({ replace: { ...call, n: 5 } }) }],
    ['after', { after: (outcome) => ({ ...outcome, call: { ...outcome.call, n: 5 } }) }],
  ])('the arguments are those that `%s` leaves', async (_hook, options) => {
    const telemetry = { captureContent: true }
    const [span] = await spansOf(() => 2, { ...call, n: 1234 }, { ...options, telemetry })
    expect(span?.attributes['gen_ai.tool.call.arguments']).toBe('{"n":5}')
    expect(JSON.stringify(span?.attributes)).not.toContain('1234')
  })

  const failures: [string, AnyActivity, Call, RunOptions, string][] = [
    ['an invalid Call', () => 2, { ...call, n: 'secret' }, {}, 'invalid_call'],
    ['an unknown Tool', () => 2, { _tool: 'secret' }, {}, 'unknown_tool'],
    ['no Call at all', () => 2, null as unknown as Call, {}, 'invalid_call'],
    ['an Activity that throws', () => Promise.reject(new Error('secret')), call, {}, 'activity_failed'],
    ['an invalid output', () => 'secret', call, {}, 'invalid_output'],
    ['a timeout of a deaf Activity', deaf, call, { timeout: 5 }, 'timeout'],
    ['an abort', () => 2, call, { signal: AbortSignal.abort() }, 'aborted'],
    ['a refusal', () => 2, call, { confirm: () => ({ refuse: 'secret' }) }, 'refused'],
  ]
  test.each(failures)('%s: an error of its code, and no word of what was in it', async (_what, ...given) => {
    const [activity, failing, options, code] = given
    const [span, ...others] = await spansOf(activity, failing, options)
    expect(others).toEqual([])
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span?.attributes['error.type']).toBe(code)
    const { 'gen_ai.tool.name': name, ...attributes } = span?.attributes ?? {}
    expect(JSON.stringify(attributes)).not.toContain('secret')
  })

  test('the span of a Call is a child of the one it is made in, and parent of those its Activity makes', async () => {
    const tracer = trace.getTracer('test')
    const { Tool } = setUp(async () => {
      await sleep(1)
      tracer.startSpan('inside').end()
      return 2
    })
    await tracer.startActiveSpan('outside', async (outside) => {
      await Tool.all([call, call])
      outside.end()
    })
    const spans = exporter.getFinishedSpans()
    const outside = spans.find(({ name }) => name === 'outside')
    const calls = spans.filter(({ name }) => name === 'execute_tool double')
    const inside = spans.filter(({ name }) => name === 'inside')
    expect(calls.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
      calls.map(() => outside?.spanContext().spanId),
    )
    expect(inside.map(({ parentSpanContext }) => parentSpanContext?.spanId).sort()).toEqual(
      calls.map((span) => span.spanContext().spanId).sort(),
    )
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1)
  })

  test('all attempts are one span', async () => {
    let attempts = 0
    const flaky = () => (++attempts < 3 ? Promise.reject(new Error('once more')) : 2)
    const spans = await spansOf(flaky, call, { retry: { attempts: 3 } })
    expect(spans).toHaveLength(1)
    expect(spans[0]?.status.code).toBe(SpanStatusCode.UNSET)
  })

  test('telemetry: false makes none', async () => {
    expect(await spansOf(() => 2, call, { telemetry: false })).toEqual([])
  })

  test('a tracer of one’s own takes the spans', async () => {
    const own = new InMemorySpanExporter()
    const tracer: CallTracer = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(own)],
    }).getTracer('own')
    expect(await spansOf(() => 2, call, { telemetry: { tracer } })).toEqual([])
    expect(own.getFinishedSpans().map(({ name }) => name)).toEqual(['execute_tool double'])
  })

  const broken: [string, CallTracer][] = [
    [
      'before the Call runs',
      {
        startActiveSpan() {
          throw new Error('broken tracer')
        },
      },
    ],
    ['by a promise', { startActiveSpan: () => Promise.reject(new Error('broken tracer')) as never }],
    [
      'by a promise when the Call has ended',
      {
        startActiveSpan: (_name, _options, work) =>
          work({
            setAttribute: () => undefined,
            setStatus: () => undefined,
            end: () => Promise.reject(new Error('broken tracer')) as never,
          }),
      },
    ],
    [
      'when the Call has ended',
      {
        startActiveSpan: (_name, _options, work) =>
          work({
            setAttribute: () => undefined,
            setStatus: () => undefined,
            end() {
              throw new Error('broken tracer')
            },
          }),
      },
    ],
  ]
  test.each(broken)('a tracer that throws %s costs the span, not the Call', async (_when, tracer) => {
    let ran = 0
    const { Tool } = setUp(() => ++ran)
    const errors: unknown[] = []
    Tool.on('listener:error', (event) => errors.push(event))
    expect(await Tool(call, { telemetry: { tracer } })).toBe(1)
    await new Promise(setImmediate)
    expect(ran).toBe(1)
    expect(errors).toEqual([{ event: 'telemetry', error: new Error('broken tracer') }])
  })

  test.each([1, 2, 4, 6])(
    'a provider that has no tracer from the question %i on costs no Call',
    async (from) => {
      let asked = 0
      const provider = trace.getTracerProvider()
      const get = provider.getTracer.bind(provider)
      vi.spyOn(provider, 'getTracer').mockImplementation((name) => {
        if (++asked >= from) throw new Error('no tracer')
        return get(name)
      })
      let ran = 0
      const { Tool } = setUp(() => ++ran)
      const errors: unknown[] = []
      const ended: unknown[] = []
      Tool.on('listener:error', (event) => errors.push(event))
      Tool.on('call:end', ({ output }) => ended.push(output))
      expect(await Tool.all([call, call, call])).toEqual([1, 2, 3])
      expect((await Tool.run(call)).output).toBe(4)
      expect(ended).toEqual([1, 2, 3, 4])
      expect(new Set(errors.map((each) => String((each as { error: unknown }).error)))).toEqual(
        new Set(asked >= from ? ['Error: no tracer'] : []),
      )
      vi.restoreAllMocks()
    },
  )

  test.each<[string, (work: () => unknown) => void]>([
    ['later', (work) => setTimeout(work, 5)],
    ['twice', (work) => [work(), work()]],
  ])('a tracer that begins its work %s runs the Call once', async (_when, begin) => {
    const span = { setAttribute: () => {}, setStatus: () => {}, end: () => {} }
    const tracer = { startActiveSpan: (_name, _options, work) => begin(() => work(span)) } as CallTracer
    let ran = 0
    const { status } = await setUp(() => ++ran).Tool.run(call, { telemetry: { tracer } })
    await sleep(20)
    expect({ status, ran }).toEqual({ status: 'succeeded', ran: 1 })
  })

  test('what is no JSON does not break a span', async () => {
    const free = tool('free', { value: {}, _output: {} })
    const { Tool } = registryOf({ free: () => 1n }, { tools: { free } })
    const options = { telemetry: { captureContent: true } }
    await Tool.run({ _tool: 'free', value: 1n }, options)
    await Tool.run({ _tool: 'free', value: 1 }, options)
    const types = exporter.getFinishedSpans().map(({ attributes }) => attributes['error.type'])
    expect(types).toEqual(['invalid_call', 'invalid_output'])
  })
})
