import { describe, expect, test } from 'vitest'
import { projectBench } from '../../../../codegen/studio/bench/project-bench.ts'
import type { Workbench } from '../../../../codegen/studio/bench/workbench.ts'
import { studioServer } from '../../../../codegen/studio/server/studio-server.ts'
import { StudioTool } from '../../../../codegen/studio/tool-detail.ts'
import type { CallHappening, StudioInfo, ToolDetail } from '../../../../codegen/studio/wire/tools.ts'
import { createRegistry, tool } from '../../../../runtime/index.ts'
import { outcomeJson } from '../../../../runtime/server/outcome-json.ts'
import { readEvents } from '../../../../runtime/server/read-events.ts'
import { sampleProject } from '../../../sample-project.ts'

const text = { type: 'string' } as const
const greet = tool(
  'greet',
  { name: { ...text, minLength: 2 }, _output: text },
  { description: 'Greets <b>somebody</b>.', effects: 'read', examples: [{ name: 'Ada' }] },
)
const slow = tool('slow', { _output: text }, { effects: 'read' })
const { Tool, Activity } = createRegistry({ tools: { greet, slow } })
Activity.register('greet', ({ name }, _tool, _context, run) => {
  run.emit({ half: true })
  return `Hello ${name}`
})
let aborted = 0
Activity.register('slow', (_call, _tool, _context, run) => {
  run.signal.addEventListener('abort', () => aborted++)
  run.emit('begun')
  return new Promise<string>(() => undefined)
})

const bench: Workbench = {
  place: '/project',
  isRemote: false,
  tools: Tool.composable(),
  dialects: ['openai'],
  composeOptions: Tool.composeOptions(),
  countTokens: (said) => said.length,
  async run(call, { id, context, signal }, tell) {
    const stop = Tool.on('activity:progress', (data) => tell({ event: 'progress', data }))
    try {
      return outcomeJson(await Tool.run(call, { id, context, signal }))
    } finally {
      stop()
    }
  },
}

const errors: unknown[] = []
const handle = studioServer({
  bench,
  token: 'secret',
  signal: new AbortController().signal,
  onError: (error) => errors.push(error),
})

const base = 'http://127.0.0.1:4000'
const own = { host: '127.0.0.1:4000', authorization: 'Bearer secret' }

function ask(path: string, headers: Record<string, string> = own, body?: unknown): Promise<Response> {
  return handle(
    new Request(`${base}${path}`, {
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    }),
  )
}

describe('VIEW-1 the studio is behind a token, on this machine', () => {
  const routes: [string, unknown?][] = [
    ['/api/info'],
    ['/api/tools/greet'],
    ['/api/tools/greet/check', { parameters: {} }],
    ['/api/tools/greet/dialects', { dialects: [] }],
    ['/api/calls', { call: { _tool: 'greet', name: 'Ada' } }],
    ['/api/nothing'],
  ]
  test.each(routes)('%s is refused without it, and with another', async (path, body) => {
    expect((await ask(path, { host: own.host }, body)).status).toBe(401)
    expect((await ask(path, { ...own, authorization: 'Bearer secre' }, body)).status).toBe(401)
    expect((await ask(path, { ...own, authorization: 'secret' }, body)).status).toBe(401)
  })

  test('names of other hosts are refused, for the page as well', async () => {
    for (const path of ['/', '/api/info']) {
      expect((await ask(path, { ...own, host: 'evil.example' })).status).toBe(403)
      expect((await ask(path, { ...own, host: '127.0.0.1.evil.example:4000' })).status).toBe(403)
    }
  })

  test('pages of other origins are refused, those of this machine included', async () => {
    for (const origin of ['https://evil.example', 'http://localhost:5173', 'http://127.0.0.1:4001', 'null']) {
      expect((await ask('/api/info', { ...own, origin })).status).toBe(403)
    }
    expect((await ask('/api/info', { ...own, origin: base })).status).toBe(200)
  })

  test('nothing may be read from another origin', async () => {
    const response = await ask('/api/info', { ...own, origin: base })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('the page may load what is served here and nothing else; styles of its own have a nonce that is new each time', async () => {
    const page = async () => {
      const response = await ask('/')
      const policy = response.headers.get('content-security-policy') ?? ''
      const [, shown] = /name="csp-nonce" content="([^"]+)"/.exec(await response.text()) ?? []
      return { policy, shown }
    }
    const [first, second] = [await page(), await page()]
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(first.policy.split('; ')).toContain(rule)
    expect(first.policy).toContain(`'nonce-${first.shown}'`)
    expect(second.policy).toContain(`'nonce-${second.shown}'`)
    expect(second.shown).not.toBe(first.shown)
  })

  test.each(['/package.json', '/../package.json', '/%2e%2e/package.json', '/constructor'])(
    '%s is no file of the page',
    async (path) => {
      expect((await ask(path)).status).toBe(404)
    },
  )

  test('bodies that are no JSON objects are refused', async () => {
    expect((await ask('/api/calls', own, [])).status).toBe(400)
    expect((await ask('/api/calls', own, { call: {} })).status).toBe(400)
    expect((await ask('/api/calls', own, { call: { _tool: 'greet' }, context: {} })).status).toBe(400)
    expect((await ask('/api/tools/greet/check', own, { parameters: [] })).status).toBe(400)
    const form = await handle(
      new Request(`${base}/api/calls`, { method: 'POST', headers: own, body: 'call=1' }),
    )
    expect(form.status).toBe(415)
    expect(errors).toEqual([])
  })
})

describe('VIEW-1 what the page asks for', () => {
  test('the Tools', async () => {
    const info = (await (await ask('/api/info')).json()) as StudioInfo
    expect(info.tools).toEqual([
      { name: 'greet', description: 'Greets <b>somebody</b>.', effects: 'read', isLatent: false },
      { name: 'slow', effects: 'read', isLatent: false },
    ])
    expect(info.dialects.configured).toEqual(['openai'])
  })

  test('one Tool: its form and its examples', async () => {
    const detail = (await (await ask('/api/tools/greet')).json()) as ToolDetail
    expect(detail.examples).toEqual([{ name: 'Ada' }])
    expect(detail.form).toMatchObject({
      kind: 'object',
      properties: [{ name: 'name', isRequired: true, field: { kind: 'text', min: 2 } }],
    })
  })

  test.each(['constructor', '__proto__', 'toString', '%FF', 'gret'])('no Tool %s', async (name) => {
    expect([400, 404]).toContain((await ask(`/api/tools/${name}`)).status)
  })

  test('problems are those of the Call that is run', async () => {
    const parameters = { name: 'x', other: 1 }
    const checked = (await (await ask('/api/tools/greet/check', own, { parameters })).json()) as object
    const outcome = await Tool.run({ _tool: 'greet', ...parameters })
    expect(checked).toEqual({ problems: outcome.error?.problems })
  })

  test('what a Reference stands for is not judged before it is known', () => {
    const [entry] = Tool.composable()
    if (!entry) throw new Error('There is a Tool.')
    const studio = new StudioTool({ ...entry, activity: 'greet' })
    expect(studio.problems({ name: '†state.name' })).toEqual([])
    expect(studio.problems({ name: '†' }).length).toBe(0)
    expect(studio.problems({ name: 7 }).length).toBe(1)
  })

  test('a Tool that a model answers has its output in the form', () => {
    const [entry] = Tool.composable()
    if (!entry) throw new Error('There is a Tool.')
    const names = ({ form }: ToolDetail): string[] =>
      form.kind === 'object' ? form.properties.map(({ name }) => name) : []
    expect(names(new StudioTool({ ...entry, activity: '' }).detail)).toEqual(['name', '_output'])
    // Nobody answers for a Tool that writes: without its Activity it does not run.
    const writes = { ...entry, schema: { ...entry.schema, effects: 'write' as const }, activity: '' }
    expect(names(new StudioTool(writes).detail)).toEqual(['name'])
    expect(names(new StudioTool({ ...entry, activity: 'greet' }).detail)).toEqual(['name'])
  })

  test('dialects: what is sent, lost, and what it costs', async () => {
    const response = await ask('/api/tools/greet/dialects', own, { dialects: ['openai', 'nonsense'] })
    expect(await response.json()).toMatchObject([
      { dialect: 'openai', tokens: expect.any(Number), losses: [{ keyword: 'minLength' }] },
    ])
  })

  test('a Call runs, and what happens is told as it happens', async () => {
    const response = await ask('/api/calls', own, { call: { _tool: 'greet', name: 'Ada' } })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = await happenings(response)
    expect(events.map(({ event }) => event)).toEqual(['start', 'progress', 'end'])
    expect(events.at(-1)?.data).toMatchObject({ status: 'succeeded', output: 'Hello Ada' })
  })

  test('References read the context that comes with it', async () => {
    const context = [{ type: 'state', state: { name: 'Eve' } }]
    const call = { _tool: 'greet', name: '†state.name' }
    const [end] = (await happenings(await ask('/api/calls', own, { call, context }))).slice(-1)
    expect(end?.data).toMatchObject({ output: 'Hello Eve' })
  })

  test('who goes away aborts the Call', async () => {
    const response = await ask('/api/calls', own, { call: { _tool: 'slow' } })
    const reader = response.body?.getReader()
    let told = ''
    while (!told.includes('begun')) told += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
    await expect.poll(() => aborted).toBe(1)
  })
})

async function happenings(response: Response): Promise<CallHappening[]> {
  const found: CallHappening[] = []
  if (!response.body) throw new Error('There is a body.')
  for await (const { data } of readEvents(response.body)) found.push(data as CallHappening)
  return found
}

test('REQ-9 whoever is asked by the options of Calls is asked for those of the page as well', async () => {
  const project = await projectBench({ cwd: sampleProject() }, () => ({
    confirm: () => ({ refuse: 'not from here' }),
  }))
  const call = { _tool: 'PhraseEmphasis.bold', phrase: 'hi' }
  const { signal } = new AbortController()
  expect(await project.run(call, { id: 'a', context: [], signal }, () => {})).toMatchObject({
    status: 'refused',
    error: { message: expect.stringContaining('not from here') },
  })
})
