import { type Call, createRegistry, type LatentModel } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { deaf } from '../call/harness.ts'

/** An Activity that notes its name, then answers. */
function noting(notes: string[], name: string, answer: string): () => string {
  return () => {
    notes.push(name)
    return answer
  }
}

/** A Tool as ACT-3 tells them apart: what it says of `_activity`, and its effects. */
function toolWith(activity: string | undefined, effects?: string): object {
  const own = activity === undefined ? {} : { _activity: { const: activity } }
  return {
    properties: { ...own, _output: { type: 'string' } },
    ...(effects && { effects }),
  }
}

interface Case {
  readonly given: string
  readonly activity?: string
  readonly effects?: string
  readonly registered?: readonly string[]
  readonly declared?: readonly string[]
  readonly missingActivity?: 'error'
  readonly want: { ran?: string; mode: string; code?: string; missing?: boolean }
}

const cases: Case[] = [
  {
    given: 'ACT-3 rule 1: a named Activity that is registered',
    activity: 'shared',
    registered: ['shared', 't'],
    want: { ran: 'shared', mode: 'explicit' },
  },
  { given: 'ACT-3 rule 2: one of its own name', registered: ['t'], want: { ran: 't', mode: 'explicit' } },
  { given: 'ACT-3 rule 3: none', want: { mode: 'latent' } },
  { given: 'ACT-3 latent by decree', activity: '', registered: ['t'], want: { mode: 'latent' } },
  {
    given: 'ACT-4 a named one that is missing, although its own name is there',
    activity: 'shared',
    registered: ['t'],
    want: { mode: 'latent', missing: true },
  },
  {
    given: 'ACT-4 missing under missingActivity: error',
    activity: 'shared',
    missingActivity: 'error',
    want: { mode: 'latent', code: 'missing_activity', missing: true },
  },
  {
    given: 'ACT-4 a write Tool without an Activity',
    effects: 'write',
    want: { mode: 'latent', code: 'missing_activity' },
  },
  {
    given: 'ACT-4 a write Tool whose named Activity is missing',
    effects: 'write',
    activity: 'shared',
    want: { mode: 'latent', code: 'missing_activity', missing: true },
  },
  {
    given: 'ACT-3a declared elsewhere, by its own name',
    declared: ['t'],
    want: { mode: 'explicit', code: 'no_implementation' },
  },
  {
    given: 'ACT-3a declared elsewhere, by the named Activity',
    activity: 'shared',
    declared: ['shared'],
    want: { mode: 'explicit', code: 'no_implementation' },
  },
  {
    given: 'ACT-3a declared and registered',
    declared: ['t'],
    registered: ['t'],
    want: { ran: 't', mode: 'explicit' },
  },
]

describe('which implementation a Call gets', () => {
  test.each(cases)('$given', async (each) => {
    const { registered = [], declared = [], want } = each
    const { Tool, Activity } = createRegistry({ tools: { t: toolWith(each.activity, each.effects) } })
    const ran: string[] = []
    for (const name of registered) Activity.register(name, noting(ran, name, 'explicit'))
    Activity.declare(...declared)
    let missing = false
    Tool.on('activity:missing', ({ tool, activity }) => {
      missing = tool === 't' && activity === each.activity
    })
    const options = each.missingActivity && { missingActivity: each.missingActivity }
    const outcome = await Tool.run({ _tool: 't', _output: 'latent' }, options)

    expect(ran).toEqual(want.ran ? [want.ran] : [])
    expect(outcome.mode).toBe(want.mode)
    expect(outcome.error?.code).toBe(want.code)
    expect(missing).toBe(want.missing ?? false)
    if (want.code === undefined) expect(outcome.output).toBe(want.mode)
    if (want.ran) expect(outcome.activity).toBe(want.ran)
  })

  test('TOOL-6 a Tool without _output cannot run latently', async () => {
    const { Tool } = createRegistry({ tools: { t: { properties: {} } } })
    expect((await Tool.run({ _tool: 't' })).error?.code).toBe('no_output')
  })
})

describe('CALL-3 what a Call says of its implementation', () => {
  const tools = { t: toolWith('shared'), plain: toolWith(undefined) }
  const said: [Call, string | undefined][] = [
    [{ _tool: 't', _activity: 'shared' }, undefined],
    [{ _tool: 't', _activity: 't' }, undefined],
    [{ _tool: 't', _activity: '' }, undefined],
    [{ _tool: 't' }, undefined],
    [{ _tool: 't', _activity: 'other' }, 'activity_mismatch'],
    [{ _tool: 't', _activity: 1 }, 'activity_mismatch'],
    [{ _tool: 't', _activity: 'toString' }, 'activity_mismatch'],
    [{ _tool: 'plain', _activity: 'shared' }, 'activity_mismatch'],
    [{ _tool: 'plain', _activity: 'plain' }, undefined],
  ]
  test.each(said)('%j: %s', async (call, code) => {
    const { Tool, Activity } = createRegistry({ tools })
    const ran: string[] = []
    for (const name of ['shared', 'plain', 'other', 'toString']) {
      Activity.register(name, noting(ran, name, 'done'))
    }
    const outcome = await Tool.run(call)
    expect(outcome.error?.code).toBe(code)
    // It never chooses: the Tool's own Activity runs, whatever legal value the Call carries.
    expect(ran).toEqual(code ? [] : [call._tool === 't' ? 'shared' : 'plain'])
  })

  test('a _delegate that the Tool fixes must be that one', async () => {
    const { Tool, Activity } = createRegistry({
      tools: { t: { properties: { _delegate: { const: 'mine' }, _output: { type: 'string' } } } },
    })
    Activity.register('t', () => 'done')
    expect((await Tool.run({ _tool: 't', _delegate: 'mine' })).status).toBe('succeeded')
    expect((await Tool.run({ _tool: 't' })).delegated).toBe(true)
    expect((await Tool.run({ _tool: 't', _delegate: 'other' })).error?.code).toBe('activity_mismatch')
  })
})

describe('CALL-2 latent Calls', () => {
  const tools = { t: toolWith(undefined) }

  test('take the Call’s own _output, validated', async () => {
    const { Tool } = createRegistry({ tools })
    expect(await Tool({ _tool: 't', _output: 'said' })).toBe('said')
    expect((await Tool.run({ _tool: 't', _output: 1 })).error?.code).toBe('invalid_output')
  })

  test('ask the model where the Call has none, and say how to configure one where there is none', async () => {
    const { Tool } = createRegistry({ tools })
    expect((await Tool.run({ _tool: 't' })).error).toMatchObject({
      code: 'no_model',
      message: expect.stringContaining('{ model }'),
    })
    const asked: unknown[] = []
    const model: LatentModel = {
      async answer(request) {
        asked.push(request)
        return 'answered'
      },
    }
    expect(await Tool({ _tool: 't' }, { model })).toBe('answered')
    expect(asked).toEqual([
      {
        id: expect.any(String),
        call: { _tool: 't' },
        tool: Tool.get('t'),
        output: { type: 'string' },
        context: [],
        signal: expect.any(AbortSignal),
        spend: expect.any(Function),
      },
    ])
  })

  test('retry a model that answers badly, but not the Call’s own answer', async () => {
    const { Tool } = createRegistry({ tools })
    const answers: unknown[] = [1, 2, 'third']
    const model = { answer: async () => answers.shift() }
    const retry = { attempts: 5 }
    const outcome = await Tool.run({ _tool: 't' }, { model, retry })
    expect(outcome).toMatchObject({ output: 'third', attempts: 3 })
    expect((await Tool.run({ _tool: 't', _output: 1 }, { retry })).attempts).toBe(1)
    expect((await Tool.run({ _tool: 't' }, { retry })).attempts).toBe(1)
  })

  test('settle when a deaf model is aborted or too slow (CALL-7)', async () => {
    const { Tool } = createRegistry({ tools })
    const outcome = await Tool.run({ _tool: 't' }, { model: { answer: deaf }, timeout: 5 })
    expect(outcome.error?.code).toBe('timeout')
  })

  test('CALL-1a in an explicit Call _output is a prediction: kept, ignored, never seen by the Activity', async () => {
    const { Tool, Activity } = createRegistry({ tools })
    const seen: unknown[] = []
    Activity.register('t', (call) => {
      seen.push(call)
      return 'real'
    })
    const outcome = await Tool.run({ _tool: 't', _output: { any: 'thing' } })
    expect(outcome).toMatchObject({ output: 'real', predicted: { any: 'thing' }, mode: 'explicit' })
    expect(seen).toEqual([{ _tool: 't' }])
  })
})
