import {
  type ActivityFunction,
  branch,
  type Call,
  createRegistry,
  type Message,
  message,
  type RegistryOptions,
} from 'callsheet'
import { type ScriptedAnswer, scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'

/** One Call of a run. */
export interface Step {
  readonly tool: 'look' | 'note' | 'pay' | 'think' | 'ask'
  readonly does: (typeof deeds)[number]
  readonly wrong: 'tool' | 'parameter' | 'path' | undefined
  readonly reads: string | undefined
  /** In a run where each Call writes to a place of its own: whose it reads. */
  readonly from: number
  readonly isDeep: boolean
  readonly writes: string | undefined
  readonly method: 'push' | 'concat' | 'merge' | 'assign' | undefined
  readonly instance: string | undefined
  readonly verdict: 'yes' | 'no'
}

/** What a model says in a run: its turns, and those of each delegate. */
export interface MadeRun {
  readonly turns: readonly (readonly Step[])[]
  readonly inside: readonly Step[]
  /** A plan that the context brings. */
  readonly planned: readonly Step[]
  readonly isThere: boolean
  /** Each Call writes to a place of its own, so that what one writes never takes the place of what another one wrote. */
  readonly isApart: boolean
}

const deeds = [
  'give',
  'list',
  'nothing',
  'fail',
  'fail by code',
  'flake',
  'message',
  'branch',
  'no JSON',
] as const

const places = ['a', 'a.x', 'a.x.y', 'a.w', 'b', 'b.x', 'c', 'd', "'odd key'.x"]
const place = fc.constantFrom(...places.map((name) => `†state.${name}`), '†audit.a')
const pair = (...between: string[]) =>
  fc.tuple(place, fc.constantFrom(...between), place).map((parts) => parts.join(' '))

export const step: fc.Arbitrary<Step> = fc.record({
  tool: fc.constantFrom('look', 'look', 'note', 'pay', 'pay', 'think', 'ask'),
  does: fc.constantFrom('give', 'give', 'give', ...deeds),
  wrong: fc.constantFrom(
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    'tool',
    'parameter',
    'path',
  ),
  reads: fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: place },
    pair('||', '&&'),
    fc.constantFrom('†state', '††state.a', 'see †state.a', '†state.never'),
  ),
  from: fc.nat(40),
  isDeep: fc.boolean(),
  writes: fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: place },
    pair('||', '&&'),
    fc.constantFrom('a.w', '†state.c || †state.error && †audit.error'),
  ),
  method: fc.constantFrom(undefined, undefined, undefined, 'push', 'concat', 'merge', 'assign'),
  instance: fc.constantFrom(undefined, undefined, undefined, undefined, 'i', 'j', 'nobody'),
  verdict: fc.constantFrom('yes', 'yes', 'yes', 'no'),
})

export const madeRun: fc.Arbitrary<MadeRun> = fc.record({
  turns: fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
  inside: fc.array(step, { maxLength: 3 }),
  planned: fc.oneof(fc.constant([]), fc.array(step, { maxLength: 3 })),
  isThere: fc.boolean(),
  isApart: fc.boolean(),
})

/** The places from which on Calls are those of the plan that the context brings, and those of delegates. */
const firstPlanned = 900
export const firstInside = 1000

/** A path, below the place that belongs to one Call alone. */
const below = (path: string | undefined, owner: number): string | undefined =>
  path?.replaceAll(
    /(†(?:state|audit))\b|\b(?=a\.w$)/g,
    (kind) => `${kind === '' ? '' : `${kind}.`}p${owner}${kind === '' ? '.' : ''}`,
  )

const wrongPath = '†state.__proto__.x'

export function callOf({ turns, planned, isApart }: MadeRun, given: Step, place: number): Call {
  const { tool, does, wrong, isDeep, method, instance, from } = given
  const isInside = place >= firstInside
  const turn = place >= firstPlanned ? planned : (turns[Math.floor(place / 10)] ?? [])
  // Of the same turn, or of the one before.
  const owner = isInside
    ? place - (from % 2)
    : from > 30 && place >= 10
      ? place - 10
      : place - (place % 10) + (from % turn.length)
  const reads = isApart ? below(given.reads, owner) : given.reads
  const writes = isApart ? below(given.writes, place) : given.writes
  const of = reads !== undefined && { of: isDeep ? { in: [reads, 1] } : reads }
  const path = wrong === 'path' ? wrongPath : writes
  return {
    _tool: wrong === 'tool' ? 'nobody' : isInside && (tool === 'ask' || tool === 'think') ? 'look' : tool,
    ...(wrong === 'parameter' ? {} : { place }),
    // Without a path there is no branch to take.
    ...(tool === 'ask' && !isInside ? {} : { does: does === 'branch' && path === undefined ? 'give' : does }),
    ...of,
    ...(path !== undefined && { _outputPath: path }),
    ...(method && { _outputMethod: method }),
    ...(instance && { _instance: instance }),
  }
}

const fixable = ['_outputPath', '_outputMethod', '_instance']

/** What tells Tools that fix where outputs go from the one that leaves it open. */
const fixing = '_fixing'

/** The Call as one of a Tool that fixes where its output goes, and leaves that out; itself where it says nothing of it. */
function leavingOut(call: Call, isFixed = true): Call {
  if (!isFixed || call._outputPath === wrongPath || call.place === undefined) return call
  const left = Object.entries(call).filter(([name]) => !fixable.includes(name))
  if (left.length === Object.keys(call).length || !toolNames.some((name) => name === call._tool)) return call
  return { ...Object.fromEntries(left), _tool: `${call._tool}${fixing}${call.place}` }
}

/** The Tools whose Calls `leavingOut` makes. */
function fixingTools(calls: readonly Call[]): Record<string, object> {
  return Object.fromEntries(
    calls.flatMap((call) => {
      const { _tool: name } = leavingOut(call)
      if (name === call._tool) return []
      const said = Object.entries(call).filter(([field]) => fixable.includes(field))
      const fixed = Object.fromEntries(said.map(([field, value]) => [field, { const: value }]))
      const schema = schemaOf(call._tool as keyof typeof effectsOf)
      const _activity = call._tool === 'think' || call._tool === 'ask' ? '' : call._tool
      const properties = { ...schema.properties, ...fixed, _tool: { const: name }, _activity }
      return [[name, { ...schema, properties }]]
    }),
  )
}

/** What a run of such Tools came to, as that of the others would be told. */
export function asIfSaid<Value>(told: Value): Value {
  return JSON.parse(JSON.stringify(told).replaceAll(new RegExp(`${fixing}\\d*`, 'g'), ''))
}

/** The Calls that a run begins with, and those of its model's turns. */
function callsOf(run: MadeRun): Call[] {
  return [
    ...run.planned.map((each, index) => callOf(run, each, firstPlanned + index)),
    ...run.turns.flatMap((steps, turn) =>
      steps.map((each, index) => callOf(run, each, placeOf(turn, index))),
    ),
  ]
}

export const base = (run: MadeRun, isFixed = false): Message[] => [
  { type: 'text', text: 'Do it.' },
  ...(run.isThere
    ? [
        { type: 'state', state: { a: { x: { y: 'old' }, w: ['old'] }, b: 'old' } } as Message,
        { type: 'data', kind: 'state', data: { c: 'of i' }, _instance: 'i' } as Message,
        { type: 'data', kind: 'state', data: { a: { w: 'of j' } }, _instance: 'j' } as Message,
      ]
    : []),
  ...(run.planned.length > 0
    ? [
        {
          type: 'plan' as const,
          plan: run.planned.map((each, index) =>
            leavingOut(callOf(run, each, firstPlanned + index), isFixed),
          ),
        },
      ]
    : []),
]

export const toolNames = ['look', 'note', 'pay', 'think', 'ask'] as const
const effectsOf = { look: 'read', note: 'idempotent', pay: 'write', think: 'read', ask: undefined } as const

function schemaOf(name: keyof typeof effectsOf) {
  const effects = effectsOf[name]
  return {
    type: 'object',
    description: `Does ${name}.`,
    ...(effects && { effects }),
    properties: {
      _tool: { const: name },
      ...(name === 'think' && { _activity: '' }),
      ...(name === 'ask' && { _delegate: { type: 'string', const: 'helper' } }),
      ...(name === 'note' && { _scopes: { type: 'array', const: ['state'] } }),
      place: { type: 'integer' },
      ...(name !== 'ask' && { does: { enum: [...deeds] } }),
      of: {},
      _outputPath: { type: 'string' },
      _outputMethod: { enum: ['push', 'concat', 'merge', 'assign'] },
      _instance: { type: 'string' },
      _output: {},
    },
    required: ['_tool', 'place'],
    additionalProperties: false,
  }
}

/** What was given to an Activity. */
export interface Started {
  readonly id: string
  readonly tool: string
  readonly attempt: number
  readonly call: unknown
  readonly context: readonly Message[]
}

/** A registry that notes what it starts, and lets it take the time that `wait` takes. */
export function registryOf(
  started: Started[],
  wait: () => Promise<void>,
  options: RegistryOptions = {},
  fixed?: MadeRun,
) {
  const look = schemaOf('look')
  const pay = schemaOf('pay')
  const registry = createRegistry({
    policy: { look: { percentage: { other: 50 } } },
    ...options,
    tools: {
      look,
      note: schemaOf('note'),
      pay,
      think: schemaOf('think'),
      ask: schemaOf('ask'),
      ...(fixed && fixingTools(callsOf(fixed))),
    },
    ideas: {
      helper: {
        schema: { type: 'object', properties: { helped: { type: 'integer' } }, required: ['helped'] },
        context: [
          { type: 'text', text: 'HELPER' },
          {
            type: 'input',
            input: { place: 0 },
            schema: { type: 'object', properties: { place: { type: 'integer' } } },
          },
          ...[look, pay].map((tool) => ({ type: 'tool', tool }) as unknown as Message),
        ],
      },
    },
  })
  for (const [name, variant] of [
    ['look', 'default'],
    ['look', 'other'],
    ['note', 'default'],
    ['pay', 'default'],
  ] as const) {
    const act: ActivityFunction<Call, unknown> = async (call, _tool, context, { id, emit }) => {
      const attempt = started.filter((each) => each.id === id).length + 1
      started.push({
        id,
        tool: `${name} ${variant}`,
        attempt,
        call: structuredClone(call),
        context: structuredClone([...context]),
      })
      emit({ place: call.place })
      await wait()
      return done(call as unknown as { place: number; does: Step['does']; of?: unknown }, attempt)
    }
    registry.Activity.register(name, act as never, variant === 'default' ? {} : { variant })
  }
  return registry
}

function done(
  { place, does, of }: { place: number; does: Step['does']; of?: unknown },
  attempt: number,
): unknown {
  switch (does) {
    case 'list':
      return [place]
    case 'nothing':
      return undefined
    case 'fail':
      throw new Error(`no ${place}`)
    case 'fail by code':
      throw Object.assign(new Error('no'), { code: 'E_NO' })
    case 'flake':
      if (attempt === 1) throw new Error('once more')
      return { again: place }
    case 'message':
      return message({ type: 'state', state: { said: { [`by${place}`]: true } } })
    case 'branch':
      return branch('b', { branch: place }) as never
    case 'no JSON':
      return { big: 1n }
    default:
      return { is: place, ...(of !== undefined && typeof of !== 'object' && { of }) }
  }
}

/** Where a Call stands that was made of a step. */
export const placeOf = (turn: number, index: number): number => turn * 10 + index

/** What a model was asked so far. */
export interface Asked {
  turns: number
  readonly helpers: Map<string, number>
  requests: number
}

export const newlyAsked = (): Asked => ({ turns: 0, helpers: new Map(), requests: 0 })

/** A model that says the turns of a run, whoever asks first: `asked` counts over all processes. */
export function modelOf(run: MadeRun, asked: Asked, isFixed = false) {
  const { turns, inside } = run
  const answer = ({ body }: { readonly body: object }): ScriptedAnswer => {
    const said = JSON.stringify(body)
    asked.requests++
    if (said.includes('Give the output of one call of the tool')) {
      return { output: { thought: Number(/output is asked for.*?place\W+(\d+)/.exec(said)?.[1]) } }
    }
    if (said.includes('HELPER')) {
      const room = /place\W+(\d+)/.exec(said.slice(said.indexOf('HELPER')))?.[1] ?? ''
      const count = asked.helpers.get(room) ?? 0
      asked.helpers.set(room, count + 1)
      if (count > 0 || inside.length === 0) return { output: { helped: Number(room) } }
      return {
        calls: inside.map((each, index) => callOf(run, each, firstInside + Number(room) * 10 + index)),
      }
    }
    const turn = asked.turns++
    const steps = turns[turn]
    return steps
      ? {
          calls: steps.map((each, index) => leavingOut(callOf(run, each, placeOf(turn, index)), isFixed)),
        }
      : { output: 'done' }
  }
  const usage = { in: 3, out: 2 }
  return scriptedModel(Array.from({ length: 60 }, () => (request) => ({ ...answer(request), usage })))
}

/** The step that a Call was made of. */
export function stepOf({ turns, inside, planned }: MadeRun, { place }: Call): Step | undefined {
  if (typeof place !== 'number') return undefined
  if (place >= firstInside) return inside[place % 10]
  if (place >= firstPlanned) return planned[place % 10]
  return turns[Math.floor(place / 10)]?.[place % 10]
}
