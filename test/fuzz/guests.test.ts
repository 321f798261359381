import {
  type Call,
  createContext,
  createRegistry,
  isCallsheetError,
  type Message,
  message,
  tool,
} from 'callsheet'
import { Agent, type LoopError } from 'callsheet/agent'
import { type ScriptedAnswer, scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { providerSafeName } from '../../runtime/schema/tool-name.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { changeLeaf } from './changed-leaf.ts'
import { hostileJson, hostileText } from './hostile-json.ts'
import { withoutWarnings } from './without-warnings.ts'

const text = { type: 'string' }
const tools = {
  fine: tool('fine', { of: text, _output: text }, { effects: 'read' }),
  bring: tool('bring', { turn: { type: 'integer' }, _output: {} }, { effects: 'read' }),
}

/** Some of the members, seldom many. */
function few(
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Record<string, unknown>> {
  const one = fc
    .constantFrom(...Object.keys(members))
    .chain((name) => fc.tuple(fc.constant(name), members[name] as fc.Arbitrary<unknown>))
  return fc.array(one, { maxLength: 3, size: 'max' }).map((entries) => Object.fromEntries(entries))
}

/** What a guest may say of itself beside its parameters. */
const meta = few({
  _activity: fc.constantFrom<unknown>('', 'loose', 'fine', { const: 'loose' }, { enum: ['', 'loose'] }),
  _delegate: fc.constantFrom<unknown>(
    { const: 'loose' },
    { const: 'helper' },
    { const: 'anonymous' },
    { const: 'nobody' },
    { const: '../x.json' },
    { type: 'string' },
  ),
  _scopes: fc.constantFrom<unknown>(
    { const: ['state'] },
    { const: ['†state.a'] },
    { const: ['no kind at.all'] },
  ),
  _outputPath: fc.constantFrom<unknown>(
    text,
    { const: '†state.a' },
    { const: '†state.__proto__' },
    { const: 5 },
  ),
  _instance: fc.constantFrom<unknown>(text, { const: 'i' }, { const: 'nobody' }),
  _output: fc.constantFrom<unknown>(
    {},
    text,
    { type: 'object', properties: { b: { type: 'integer' } } },
    false,
  ),
  _module: fc.constantFrom<unknown>({ const: 'loose' }),
  _nope: fc.constant<unknown>(text),
})

const annotations = few({
  effects: fc.constantFrom<unknown>('read', 'idempotent', 'write', 'all', 5),
  enabled: fc.constantFrom<unknown>(true, false, 'no'),
  description: fc.oneof(fc.constant<unknown>('Looks.'), hostileText, hostileJson),
  title: hostileText,
  examples: fc.oneof(fc.constant<unknown>([{ of: 'x' }]), hostileJson),
  parser: fc.constantFrom<unknown>('tuple', 'json', 5),
  references: fc.constantFrom<unknown>(false, 'deep', 7),
  deprecated: hostileJson,
  parameters: fc.constantFrom<unknown>(['_from'], ['_output'], 5),
  additionalProperties: fc.constantFrom<unknown>(false, true, text, 5),
  allOf: fc.constantFrom<unknown>(
    [],
    [{ not: {} }],
    [{ $ref: '#' }],
    [{ $ref: 'https://example.com/x.json' }],
  ),
  $defs: fc.constantFrom<unknown>({ A: { $ref: '#/$defs/A' } }, 5),
})

const names = [
  'guest',
  'Guest',
  'guest.a',
  'guest__a',
  'Fine',
  'fine',
  'loose',
  'helper',
  'Tools.find',
  'calls',
  'other',
]

const guest = fc.record({
  name: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: hostileText }),
  meta,
  annotations,
  of: fc.constantFrom<unknown>(
    text,
    text,
    text,
    {},
    { pattern: '(a+)+$' },
    { pattern: '[' },
    { $ref: '#/$defs/A' },
    { enum: [] },
    true,
    5,
  ),
  change: fc.option(
    fc.record({ place: fc.nat(), to: fc.oneof(hostileJson, fc.constantFrom<unknown>(null, 5, [], {})) }),
    { freq: 2 },
  ),
})

function messageOf({
  name,
  meta: fields,
  annotations: said,
  of,
  change,
}: typeof guest extends fc.Arbitrary<infer Given> ? Given : never): Message {
  const schema = {
    type: 'object',
    properties: { _tool: { const: name }, of, _output: {}, ...fields },
    required: ['_tool'],
    ...said,
  }
  const own: object = structuredClone(schema)
  if (change) changeLeaf(own, change.place, { value: change.to })
  return { type: 'tool', tool: own } as unknown as Message
}

const called = fc.record({
  name: fc.constantFrom(...names, 'guest', 'guest.a', 'other', 'Tools.find'),
  fields: few({
    of: fc.constantFrom<unknown>('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', 'x', '†state.a', 5),
    _output: fc.constantFrom<unknown>('x', { b: 1 }, 5, null),
    _delegate: fc.constantFrom('helper', 'loose', 'anonymous', 'nobody', 'bring'),
    _activity: fc.constantFrom('', 'loose', 'fine'),
    _outputPath: fc.constantFrom('†state.a', '†state.a || †state.b'),
    _instance: fc.constantFrom('i', 'nobody'),
    _scopes: fc.constantFrom<readonly string[]>(['state'], []),
    query: fc.constantFrom('guest', 'looks', 'a'),
  }),
})

const statuses: Record<string, number> = {}

withoutWarnings()

fuzz(
  'CALL-11b whatever comes with a context and changes between turns: what is registered runs as ever, and nothing runs that was not offered',
  150,
  fc.record({
    turns: fc.array(
      fc.record({ brought: fc.array(guest, { maxLength: 3 }), calls: fc.array(called, { maxLength: 4 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    mode: fc.constantFrom('composed' as const, 'native' as const, 'auto' as const),
    api: fc.constantFrom('chat' as const, 'responses' as const, 'messages' as const),
    stream: fc.boolean(),
    early: fc.constantFrom('none' as const, 'safe' as const, 'all' as const),
    isSearched: fc.constantFrom(false, false, true),
    isAsked: fc.boolean(),
    isLive: fc.boolean(),
    retries: fc.boolean(),
  }),
  async ({ turns, mode, api, stream, early, isSearched, isAsked, isLive, retries }) => {
    const ran: string[] = []
    const helper = {
      schema: { type: 'object', properties: { helped: { type: 'boolean' } } },
      context: [{ type: 'text', text: 'HELPER' }],
    }
    const { Tool, Activity } = createRegistry({ tools, ideas: { helper: helper as never } })
    for (const event of ['activity:latent', 'listener:error', 'activity:missing'] as const)
      Tool.on(event, () => {})
    Activity.register('fine', ({ of }) => {
      ran.push(`fine ${of}`)
      return of
    })
    Activity.register('bring', ({ turn }) => {
      ran.push(`bring ${turn}`)
      const next = turns[Number(turn)]?.brought[0]
      return (next ? message(messageOf(next)) : 'nothing') as never
    })
    Activity.register('loose', () => void ran.push('loose'))
    const offered: string[] = []
    let turn = 0
    const answer = ({ body }: { readonly body: object }): ScriptedAnswer => {
      const said = JSON.stringify(body)
      if (said.includes('Give the output of one call of the tool')) return { output: 'x' }
      if (said.includes('HELPER')) return { output: { helped: true } }
      const { calls } = turns[turn] ?? {}
      offered.push(said)
      turn++
      if (!calls) return { output: 'done' }
      return {
        calls: [
          { _tool: 'fine', of: `${turn}` },
          ...calls.map(
            ({ name, fields }): Call => ({ _tool: name, ...fields, ...(name === 'fine' && { of: 'more' }) }),
          ),
          { _tool: 'bring', turn },
        ],
      }
    }
    const base: Message[] = [
      { type: 'state', state: { a: 'there' } },
      { type: 'data', kind: 'state', data: {}, _instance: 'i' },
      ...(turns[0]?.brought ?? []).map(messageOf),
    ]
    const isContext = isLive && attempt(() => createContext(base))
    const result = await Agent({
      model: 'm',
      client: scriptedModel(Array.from({ length: 60 }, () => answer)),
      tools: Tool,
      context: isContext ? createContext(base) : base,
      output: text,
      mode: isSearched ? 'native' : mode,
      api,
      stream,
      early,
      ...(isSearched && { search: { pinned: ['fine', 'bring'], limit: 2 } }),
      ...(isAsked && { confirm: () => true }),
      ...(retries && { run: { retry: { attempts: 2 } } }),
      retry: { attempts: 2, backoff: 0 },
    }).catch((error: LoopError) => error)
    if (result instanceof Error) {
      // A Message that is none is told before anything is asked.
      expect((result as LoopError).code, `${result.message} ${(result.cause as Error)?.stack}`).toBe(
        'invalid_message',
      )
      return
    }
    expect(result.output).toBe('done')
    for (let each = 1; each <= turns.length; each++) {
      expect(
        ran.filter((name) => name === `fine ${each}`),
        `turn ${each}`,
      ).toHaveLength(1)
      expect(
        ran.filter((name) => name === `bring ${each}`),
        `turn ${each}`,
      ).toHaveLength(1)
    }
    expect(ran).not.toContain('loose')
    for (const { id, call, attempts, error, tool: name } of result.outcomes) {
      expect(error?.code, error?.message).not.toBe('internal')
      expect(error?.message ?? '').not.toMatch(/Cannot read|is not a function|not iterable|reading '/)
      statuses[error?.code ?? 'succeeded'] = (statuses[error?.code ?? 'succeeded'] ?? 0) + 1
      if (attempts === 0 || name === 'fine' || name === 'bring') continue
      statuses[`${name} ran`] = (statuses[`${name} ran`] ?? 0) + 1
      const asked = offered[Number(/:(\d+)\./.exec(id)?.[1]) - 1] ?? ''
      const isOffered = [
        `"const":"${name}"`,
        `"enum":["${name}"]`,
        `"name":"${providerSafeName(name)}"`,
      ].some((part) => asked.includes(part))
      expect(isOffered || isSearched, `${JSON.stringify(call)} was offered`).toBe(true)
    }
    for (const kept of result.context) expect(attempt(() => JSON.stringify(kept))).toBe(true)
  },
)

function attempt(make: () => unknown): boolean {
  try {
    make()
    return true
  } catch (error) {
    if (isCallsheetError(error)) return false
    throw error
  }
}

test('guests above ran, and were refused', () => {
  expect(statuses.succeeded, JSON.stringify(statuses)).toBeGreaterThan(often(100))
  expect(Object.keys(statuses).length, JSON.stringify(statuses)).toBeGreaterThan(4)
})
