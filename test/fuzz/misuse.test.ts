import { readFileSync } from 'node:fs'
import { createContext, createRegistry, isCallsheetError, tool } from 'callsheet'
import { GeneratorError } from 'callsheet/codegen'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzz } from './campaign.ts'

const { exports: exported } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { exports: Record<string, string | { readonly types: string }> }

/** Generated code alone calls these, and nobody edits it. */
const generatedOnly = ['./wiring', './surface', './checks']

type Callable = (...given: unknown[]) => unknown

/** Every function that an entry exports, by its name. */
const functions = new Map<string, Callable>()
for (const [entry, files] of Object.entries(exported)) {
  if (typeof files === 'string' || generatedOnly.includes(entry)) continue
  const source = files.types.replace('./dist/types/', '../../').replace(/\.d\.ts$/, '.ts')
  const members = (await import(/* @vite-ignore */ source)) as Record<string, unknown>
  for (const [name, member] of Object.entries(members)) {
    if (typeof member !== 'function') continue
    // What an error is made with, the code says that throws it; one that throws while it is made would hide another.
    if (member.prototype instanceof Error) continue
    const isClass = /^class/.test(Function.prototype.toString.call(member))
    const Class = member as unknown as new (...given: unknown[]) => unknown
    functions.set(`${entry} ${name}`, isClass ? (...given) => new Class(...given) : (member as Callable))
  }
}

function registry() {
  const made = createRegistry({
    tools: {
      add: tool('add', { n: { type: 'number' }, _output: { type: 'number' } }, { effects: 'read' }),
      say: tool('say', { text: { type: 'string' } }, { parser: 'tuple' }),
    },
  })
  made.Activity.register('add', ({ n }) => n)
  return made
}

/** Methods of what they make; each is called on an object of its own. */
const methods = new Map<string, Callable>()
function addMethods(what: string, make: () => object): void {
  const made = make()
  for (const name of Object.keys(made)) {
    if (typeof Reflect.get(made, name) !== 'function') continue
    methods.set(`${what}.${name}`, (...given) => {
      const holder = make()
      return (Reflect.get(holder, name) as Callable).apply(holder, given)
    })
  }
}
addMethods('Tool', () => registry().Tool)
addMethods('Tool.parse', () => registry().Tool.parse)
addMethods('Activity', () => registry().Activity)
addMethods('context', () => createContext([{ type: 'text', text: 'x' }]))
methods.set('Tool', (...given) => (registry().Tool as Callable)(...given))

const boom = () => {
  throw new Error('from a getter')
}
const traps: ProxyHandler<() => void> = { get: boom, has: boom, ownKeys: boom, getPrototypeOf: boom }
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const cycle: Record<string, unknown> = {}
cycle.self = cycle

const wrong: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  'a number': 5,
  'no number': Number.NaN,
  'a big integer': 1n,
  'a text': 'text',
  'an empty text': '',
  'a prototype by name': '__proto__',
  'a switch': true,
  'a symbol': Symbol('s'),
  'a list': [],
  'a list of rubbish': [1, null],
  'an object': {},
  'an object of rubbish': { zork: 1 },
  'a function': () => {},
  'an async function': async () => {},
  'a date': new Date(0),
  'a map': new Map(),
  'a proxy that throws': new Proxy({}, traps as ProxyHandler<object>),
  'a function that throws when it is looked at': new Proxy(() => {}, traps),
  'a revoked proxy': revoked.proxy,
  'a getter that throws': Object.defineProperty({}, 'x', { enumerable: true, get: boom }),
  'a cycle': cycle,
  'an object without a prototype': Object.create(null),
  'an own __proto__': JSON.parse('{"__proto__":{"a":1}}'),
}
const wrongName = fc.constantFrom(...Object.keys(wrong))

const call = { _tool: 'add', n: 1 }
const { Tool, Activity } = registry()
const model = { model: 'm', client: scriptedModel([]) }
const idea = { schema: { type: 'object' }, context: [] }

/** Arguments that are right, so that one of them, or one option, can be wrong alone. */
const right: Readonly<Record<string, readonly unknown[]>> = {
  '. createRegistry': [{ tools: {} }],
  '. compose': [Tool, { references: 'none' }],
  '. lower': [{ type: 'object' }, 'openai', { use: 'native' }],
  '. lowerTools': [[], 'anthropic', { strict: 'none' }],
  '. plan': [[], { context: [] }],
  '. compareReport': [Tool, { examples: 1 }],
  './agent Agent': [{ ...model, tools: Tool, maxTurns: 0 }],
  './agent streamAgent': [{ ...model, tools: Tool, maxTurns: 0 }],
  './agent Request': [{ ...model, tools: Tool, retry: { attempts: 1 } }],
  './agent latentModel': [{ ...model, tools: Tool }],
  './agent withSearch': [Tool, { limit: 3 }],
  './agent askAgain': [idea, { ...model, retry: { attempts: 1 } }],
  './testing randomModel': [{ seed: 1 }],
  './server memoryStore': [{ keeps: 1 }],
  './server toolServer': [Tool, { name: 'x' }],
  './server remoteActivities': ['http://127.0.0.1:9', { Tool, Activity: { register: () => {} } }],
  './restate restateActivities': ['http://127.0.0.1:9', { Tool, Activity: { register: () => {} } }],
  './restate restateHandler': [{ Tool }, () => {}],
  './codegen importTools': [{ tools: [] }, { name: 'x' }],
  'Tool.run': [call, { timeout: 50 }],
  'Tool.all': [[call], { timeout: 50 }],
  'Tool.any': [[call], { timeout: 50 }],
  'Tool.race': [[call], { timeout: 50 }],
  'Tool.plan': [[call], { timeout: 50 }],
  'Tool.register': ['fresh', { type: 'object', properties: {} }, {}],
  'Activity.register': ['fresh', Activity.get('add'), { variant: 'x' }],
}

/** They would do their work where what they get is right: write, or listen. */
const doesMore = ['./codegen generate', './codegen check']

/** What an engine's own messages look like where a value was used without a look at it. */
const bare =
  /Cannot (read|destructure|convert|use)|\.\w+ is not a (function|constructor)|is not iterable|undefined \(|from a getter|revoked/

/** Calls it, and looks at the error where there is one. */
async function misuse(name: string, given: readonly unknown[]): Promise<unknown> {
  const target = functions.get(name) ?? methods.get(name)
  let error: unknown
  let result: unknown
  try {
    result = (target as Callable)(...given)
    // What gives back what it got, gives back a value that may throw when somebody waits for it.
    if (!Object.values(wrong).includes(result)) result = await result
  } catch (thrown) {
    error = thrown
  }
  // A list of Outcomes that failed is a result; `Tool.run` gives one.
  const failed = isOutcome(result) ? result.error : error
  for (const each of failed instanceof AggregateError ? failed.errors : [failed]) {
    if (each === undefined) continue
    const isOurs = isCallsheetError(each) || each instanceof GeneratorError
    const message = String((each as Error).message)
    expect(isOurs, `${name}: ${message}`).toBe(true)
    expect((each as { code: string }).code, message).not.toBe('internal')
    expect(message.length).toBeGreaterThan(10)
    // That a value threw may be quoted, after what is wrong.
    if (!/ cannot be read|is not JSON/.test(message)) expect(message).not.toMatch(bare)
  }
  return failed
}

function isOutcome(value: unknown): value is { readonly error?: unknown } {
  return !Object.values(wrong).includes(value) && Object.hasOwn(Object(value), 'attempts')
}

const names = [...functions.keys(), ...methods.keys()]

describe('every exported function, called wrongly', () => {
  test('there are as many as the entries export', () => {
    expect(functions.size).toBeGreaterThan(35)
    expect(methods.size).toBeGreaterThan(18)
    for (const name of Object.keys(right)) expect(names).toContain(name)
  })

  test.each(names)(
    '%s: each wrong first argument gives an error that says what was expected',
    async (name) => {
      for (const value of Object.values(wrong)) {
        if (doesMore.includes(name) && (value === undefined || isEmpty(value))) continue
        await misuse(name, [value])
        await misuse(name, [value, ...(right[name] ?? []).slice(1)])
      }
      if (!doesMore.includes(name)) await misuse(name, [])
    },
  )

  test.each(Object.entries(right).filter(([, given]) => isPlain(given.at(-1))))(
    '%s refuses an option that it does not know',
    async (name, given) => {
      const options = { ...(given.at(-1) as object), zork: 1 }
      const failed = await misuse(name, [...given.slice(0, -1), options])
      expect(failed, name).toMatchObject({
        code: 'invalid_options',
        message: expect.stringContaining('zork'),
      })
    },
  )
})

/** True for what has nothing that a generator could refuse. */
function isEmpty(value: unknown): boolean {
  try {
    return (
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
    )
  } catch {
    return false
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

fuzz(
  'any arguments at all: an error of ours with a code and a sentence, or a result',
  400,
  fc.tuple(
    fc.constantFrom(...names.filter((name) => !doesMore.includes(name))),
    fc.array(fc.oneof(wrongName, fc.constantFrom('right')), { maxLength: 3 }),
  ),
  async ([name, kinds]) => {
    const own = right[name] ?? []
    await misuse(
      name,
      kinds.map((kind, index) => (kind === 'right' ? own[index] : wrong[kind])),
    )
  },
)

/** Options of all of them: where one does not know an option, it says so. */
const everyOption =
  'tools ideas meta declared rank search compose context signal timeout retry confirm before after references principal id variantKey missingActivity onInvalidOutput policy model telemetry concurrency allowEffects onOutcome client provider baseURL api dialect mode instructions explain only without explicitOutput outputPosition body stream onText onSent maxAnswer silence attemptTimeout output exchanges start maxTurns maxCalls maxTokens maxTime maxDepth resume decisions claim contract run latent early plan redact executor runId log onTurn authorize hosts origins name version limits store basePath onError names headers fetch service local sdk definitions activities kinds instances delegates use metaFields strict examples agree enabled variant replace seed keeps most mostCharacters'.split(
    ' ',
  )

const optionsOf: readonly [string, number, readonly string[]][] = Object.entries(right).flatMap(
  ([name, given]) => {
    const at = given.findLastIndex(isPlain)
    return at < 0 ? [] : [[name, at, [...Object.keys(given[at] as object), ...everyOption]] as const]
  },
)

fuzz(
  'any option of any value: an error of ours, or a result',
  400,
  fc.tuple(fc.constantFrom(...optionsOf.map(([name]) => name)), fc.nat(), wrongName),
  async ([name, which, kind]) => {
    const [, at, options] = optionsOf.find(([each]) => each === name) as (typeof optionsOf)[number]
    const option = options[which % options.length] as string
    const given = [...(right[name] as readonly unknown[])]
    given[at] = { ...(given[at] as object), [option]: wrong[kind] }
    await misuse(name, given)
  },
)
