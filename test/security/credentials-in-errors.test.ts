import { inspect } from 'node:util'
import { createRegistry } from 'callsheet'
import { Agent, Request } from 'callsheet/agent'
import { restateActivities, restateServices } from 'callsheet/restate'
import { remoteActivities, serveHttp, toolServer } from 'callsheet/server'
import { describe, expect, test } from 'vitest'
import { ServerClient } from '../../codegen/remote/server-client.ts'

const secret = 'hunter2'
const forms: readonly unknown[] = [
  secret,
  `Bearer ${secret}\n`,
  [secret],
  { key: secret },
  { authorization: [secret] },
  [['authorization', secret]],
]
const names = [
  'apiKey',
  'apikey',
  'api_key',
  'authorize',
  'client',
  'baseURL',
  'headers',
  'key',
  'token',
  'url',
]

function registry() {
  return createRegistry({ tools: { look: { type: 'object', properties: { _tool: { const: 'look' } } } } })
}

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    return error
  }
}

/** All that a log shows of an error. */
function logged(error: unknown): string {
  return `${String(error)} ${inspect(error, { depth: 9 })} ${JSON.stringify(error)}`
}

type Options = Readonly<Record<string, unknown>>

/** Functions that get credentials, called with one under any name and in any form. */
const takers: Readonly<Record<string, (options: Options) => unknown>> = {
  Agent: (options) => {
    const { Tool } = registry()
    return Agent({ model: 'm', context: [], tools: Tool, signal: AbortSignal.abort(), ...options })
  },
  Request: (options) => Request({ model: 'm', context: [], signal: AbortSignal.abort(), ...options }),
  remoteActivities: (options) => remoteActivities('http://worker.test', { ...registry(), ...options }),
  restateActivities: (options) => restateActivities('http://worker.test', { ...registry(), ...options }),
  restateServices: (options) => restateServices({ Tool: registry().Tool, ...options }),
  toolServer: (options) => toolServer(registry().Tool, options),
  serveHttp: (options) => serveHttp(registry().Tool, { port: 0, ...options, nothing: true } as Options),
  'Tool.run': (options) => registry().Tool.run({ _tool: 'look' }, options),
  createRegistry: (options) => createRegistry({ tools: {}, ...options }),
}

describe('errors quote no credential', () => {
  test.each(Object.entries(takers))('that %s got under another name or in another form', async (_, take) => {
    for (const name of names)
      for (const form of forms)
        for (const options of [{ [name]: form }, Object.create({ [name]: form }) as Options])
          expect(logged(await thrownBy(() => take(options))), name).not.toContain(secret)
  })

  const addresses = [
    `http://user:${secret}@worker.test`,
    `http://user:a?${secret}@worker.test`,
    `http://${secret}@[worker`,
    `user:${secret}@worker.test`,
    `http://worker.test/?key=${secret}`,
    `http://worker.test/#${secret}`,
    `ftp://user:${secret}@worker.test/`,
  ]
  test.each(addresses)('of the address %s', async (url) => {
    const works = [
      () => remoteActivities(url, registry()),
      () => restateActivities(url, registry()),
      () => new ServerClient(url, {}),
    ]
    for (const work of works) {
      const error = await thrownBy(work)
      expect(String(error)).toContain('…')
      expect(logged(error)).not.toContain(secret)
    }
  })

  test.each([remoteActivities, restateActivities])('of an address that a server sends on to', async (use) => {
    const { Tool, Activity } = registry()
    const location = `https://user:${secret}@other.test/login?token=${secret}`
    const fetch = async () => {
      const moved = new Response(null, { status: 307, headers: { location } })
      return Object.defineProperty(moved, 'url', { value: 'http://worker.test/' })
    }
    use('http://worker.test', { Tool, Activity, fetch })
    const outcome = await Tool.run({ _tool: 'look' }, { context: [] })
    expect(outcome.error?.message).toContain('sent on to https://…@other.test/login?…')
    expect(logged(outcome)).not.toContain(secret)
  })
})
