import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createRegistry, type ToolSchema } from 'callsheet'
import {
  type ServableTool,
  serveHttp,
  type ToolServer,
  type ToolServerOptions,
  toolServer,
} from 'callsheet/server'
import { afterEach } from 'vitest'

/** Schemas of the Tools that the tests serve. */
export const schemas = {
  add: {
    type: 'object',
    title: 'Add',
    description: 'Adds two numbers.',
    effects: 'read',
    properties: {
      _tool: { const: 'add' },
      left: { type: 'number' },
      right: { type: 'number' },
      _output: { type: 'number' },
    },
    required: ['_tool', 'left', 'right'],
    additionalProperties: false,
  },
  'Files.tree': {
    type: 'object',
    description: 'Lists a folder, with those in it.',
    effects: 'read',
    properties: {
      _tool: { const: 'Files.tree' },
      folder: { $ref: '#/$defs/Folder' },
      _output: { $ref: '#/$defs/Folder' },
    },
    required: ['_tool', 'folder'],
    $defs: {
      Folder: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          folders: { type: 'array', items: { $ref: '#/$defs/Folder' } },
        },
        required: ['name'],
        additionalProperties: false,
      },
    },
  },
  pay: {
    type: 'object',
    description: 'Pays.',
    effects: 'write',
    properties: { _tool: { const: 'pay' }, amount: { type: 'number' }, _output: { type: 'object' } },
    required: ['_tool', 'amount'],
  },
  wait: {
    type: 'object',
    description: 'Waits, and says how long it has.',
    effects: 'read',
    properties: { _tool: { const: 'wait' }, time: { type: 'number' }, _output: { type: 'string' } },
    required: ['_tool'],
  },
  fail: {
    type: 'object',
    properties: { _tool: { const: 'fail' }, _output: { type: 'null' } },
    required: ['_tool'],
  },
} satisfies Record<string, ToolSchema>

/** What the Activities of the tests did. */
export interface Deeds {
  paid: number
  aborted: number
  started: number
}

/** A registry with Activities that remember what they did. */
export function workshop() {
  const { Tool, Activity } = createRegistry({ tools: schemas })
  const deeds: Deeds = { paid: 0, aborted: 0, started: 0 }
  const waiting = new Set<() => void>()
  Activity.register('add', async (call) => (call.left as number) + (call.right as number))
  Activity.register('Files.tree', async (call) => call.folder)
  Activity.register('pay', async (call, _tool, _context, run) => {
    deeds.started += 1
    await new Promise((resolve) => setTimeout(resolve, 30))
    run.signal.throwIfAborted()
    deeds.paid += call.amount as number
    return { id: run.id }
  })
  Activity.register('wait', async (call, _tool, _context, run) => {
    deeds.started += 1
    run.emit({ step: 1 })
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, (call.time as number | undefined) ?? 0)
      waiting.add(resolve)
      run.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        deeds.aborted += 1
        reject(run.signal.reason)
      })
    })
    return 'done'
  })
  Activity.register('fail', async () => {
    throw Object.assign(new Error('the disk is full'), { cause: new Error('a secret') })
  })
  /** Ends the Calls of `wait` that run, so that no test has to guess how long they should take. */
  const endWaits = (): void => {
    for (const end of waiting) end()
  }
  return { Tool, Activity, deeds, endWaits }
}

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** The ways in which requests reach a server: from sockets of its own, or as web-standard requests that an adapter makes. */
export const doors = ['serveHttp', 'an adapter'] as const

/** A server on a free port of loopback. */
interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** Puts a web-standard handler behind real sockets, as an adapter does. */
export async function listen(handler: ToolServer): Promise<string> {
  const { url } = await listenBy(handler)
  return url
}

async function listenBy(handler: ToolServer): Promise<Listening> {
  const server = createAdaptorServer({ fetch: handler.fetch })
  await new Promise<void>((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, resolve)
  })
  open.push(async () => {
    await handler.close()
    await new Promise((resolve) => {
      server.close(resolve)
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => handler.close(),
  }
}

/** Serves Tools on real sockets. */
export async function serve(
  Tool: ServableTool,
  options: ToolServerOptions = {},
  door: (typeof doors)[number] = 'serveHttp',
): Promise<Listening> {
  if (door === 'an adapter') return listenBy(toolServer(Tool, options))
  const server = await serveHttp(Tool, { ...options, port: 0 })
  open.push(() => server.close())
  return server
}

/** Serves the workshop on real sockets. */
export async function serveWorkshop(options: ToolServerOptions = {}, door?: (typeof doors)[number]) {
  const shop = workshop()
  const server = await serve(shop.Tool, { limits: { drainTime: 500 }, ...options }, door)
  return { ...shop, server, url: server.url }
}

/** An answer; tests look at whatever came. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers has any shape, which is what the tests are about.
  readonly body: any
  readonly headers: Headers
}

/** A Call of `add`. */
export function add(left: unknown, right: unknown) {
  return { _tool: 'add', left, right }
}

interface SentOptions {
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

/** A request that posts JSON: to be fetched, or handed to a server as it stands. Text goes as it is. */
export function jsonRequest(url: string, body: unknown, { headers = {}, signal }: SentOptions = {}): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  })
}

/** Posts JSON, and reads JSON. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await send(url, body, { headers })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  }
}

/** Sends JSON. Node 20 loses the signal of a Request that is collected while `fetch` waits, so that `fetch` gets it itself. */
export function send(url: string, body: unknown, options: SentOptions = {}): Promise<Response> {
  return fetch(jsonRequest(url, body, options), options.signal && { signal: options.signal })
}

/** Waits until something holds; fails where it does not within 20 seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`Nothing came of ${holds}`)
}
