import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createRegistry } from 'callsheet'
import { restateActivities } from 'callsheet/restate'
import { remoteActivities } from 'callsheet/server'
import { describe, expect, test } from 'vitest'
import { answering, behindProxy, proxyHabits } from './reverse-proxy.ts'
import { post, schemas, serveWorkshop, until } from './serving.ts'

function agentAt(url: string) {
  const { Tool, Activity } = createRegistry({ tools: schemas })
  remoteActivities(url, { Tool, Activity })
  return Tool
}

describe('SERVE-4 through a proxy', () => {
  test.each(proxyHabits)(
    'that %s, Calls run once, fail as they fail, and are aborted there',
    async (habit) => {
      const { url, deeds } = await serveWorkshop()
      const Tool = agentAt(await behindProxy(url, habit))
      expect(await Tool({ _tool: 'add', left: 1, right: 2 })).toBe(3)
      const paid = await Promise.all([1, 2].map(() => Tool.run({ _tool: 'pay', amount: 5 }, { id: 'once' })))
      expect(paid.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
      expect(deeds.paid).toBe(5)
      expect((await Tool.run({ _tool: 'fail' })).error).toMatchObject({ code: 'activity_failed' })
      const controller = new AbortController()
      const running = Tool.run({ _tool: 'wait', time: 60_000 }, { signal: controller.signal })
      await until(() => deeds.started === 2)
      controller.abort()
      expect((await running).status).toBe('aborted')
      await until(() => deeds.aborted === 1)
      expect(deeds.aborted).toBe(1)
    },
  )

  // MCP asks that clients take both kinds of answers, and its SDK refuses who does not say so.
  test.each(proxyHabits.filter((habit) => habit !== 'passes on no accept'))(
    'that %s, clients of MCP and of plain HTTP are answered',
    async (habit) => {
      const { url } = await serveWorkshop()
      const there = await behindProxy(url, habit)
      expect(await post(`${there}/tools/add`, { left: 1, right: 2 })).toMatchObject({ status: 200, body: 3 })
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(new URL(`${there}/mcp`)))
      const { structuredContent } = await client.callTool({
        name: 'Files.tree',
        arguments: { folder: { name: 'a' } },
      })
      await client.close()
      expect(structuredContent).toEqual({ name: 'a' })
    },
  )
})

describe('SERVE-4 an address that leads elsewhere says where, and what to do', () => {
  test.each([301, 302, 303])('status %d makes a GET of a Call', async (status) => {
    const { url } = await serveWorkshop()
    const moved = await answering(({ url: at }, answer) =>
      answer.writeHead(status, { location: `${url}${at}` }).end(),
    )
    expect((await agentAt(moved).run({ _tool: 'add', left: 1, right: 2 })).error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining(`${moved}/calls (sent on to ${url}/calls: use that address)`),
    })
  })

  const own = { authorization: 'Bearer s3cret', 'x-api-key': 's3cret' }
  const clients = [
    ['remoteActivities', remoteActivities],
    ['restateActivities', restateActivities],
  ] as const

  test.each(clients)(
    'SERVE-6 %s sends no Call and no credentials on to another server',
    async (_, register) => {
      for (const status of [301, 302, 303, 307, 308]) {
        let asked = 0
        const other = await answering((_given, answer) => {
          asked++
          answer.end('{}')
        })
        const moved = await answering((_given, answer) =>
          answer.writeHead(status, { location: `${other}/there` }).end(),
        )
        const { Tool, Activity } = createRegistry({ tools: schemas })
        register(moved, { Tool, Activity, headers: own })
        const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 })
        expect(error).toMatchObject({
          code: 'connection_failed',
          message: expect.stringContaining(`(sent on to ${other}/there: use that address)`),
        })
        expect(asked).toBe(0)
      }
    },
  )

  test.each([307, 308])('status %d within a server is followed, with all that was sent', async (status) => {
    const authorize = (request: Request) =>
      Object.entries(own).every(([name, value]) => request.headers.get(name) === value)
        ? { id: 'a' }
        : undefined
    const { url } = await serveWorkshop({ authorize, basePath: '/new' })
    const { port } = new URL(url)
    const moved = await answering((asked, answer) => {
      if (asked.url === '/calls') {
        answer.writeHead(status, { location: '/new/calls' }).end()
        return
      }
      const { method, headers, url: path = '/' } = asked
      asked.pipe(request({ port, path, method, headers }, (came) => came.pipe(answer)))
    })
    const { Tool, Activity } = createRegistry({ tools: schemas })
    remoteActivities(moved, { Tool, Activity, headers: own })
    expect(await Tool({ _tool: 'add', left: 1, right: 2 })).toBe(3)
  })

  test('a browser does not tell where a redirect leads', async () => {
    const told = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' })
    const { Tool, Activity } = createRegistry({ tools: schemas })
    remoteActivities('/api', { Tool, Activity, fetch: async () => told })
    expect((await Tool.run({ _tool: 'add', left: 1, right: 2 })).error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('/api/calls (sent on to another address: use that one)'),
    })
  })

  test('redirects that lead round and round end', async () => {
    let asked = 0
    const round = await answering(({ url = '' }, answer) => {
      asked++
      answer.writeHead(307, { location: url }).end()
    })
    const { error } = await agentAt(round).run({ _tool: 'add', left: 1, right: 2 })
    expect(error).toMatchObject({ code: 'connection_failed', message: expect.stringContaining('status 307') })
    expect(asked).toBeLessThan(10)
  })

  test.each([404, 405])('a server that answers %d knows nothing of Tools', async (status) => {
    const other = await answering((_, answer) => answer.writeHead(status).end())
    expect((await agentAt(other).run({ _tool: 'add', left: 1, right: 2 })).error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(/\/calls answered with status 40\d\. No server of Tools is there: give/),
    })
  })

  test('a page to log in is no server that broke off', async () => {
    const login = await answering((_, answer) =>
      answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>Who are you?</p>'),
    )
    expect((await agentAt(login).run({ _tool: 'add', left: 1, right: 2 })).error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('answered with a page for people (text/html)'),
    })
  })

  test.each([
    '',
    'worker.internal',
    'localhost:3000',
    'ftp://worker',
    'http://worker?token=x',
    'http://a:b@worker',
  ])('%j is refused before a Call is sent', (url) => {
    expect(() => agentAt(url)).toThrow('remoteActivities takes the URL of a server first: http or https')
  })

  test.each(['https://worker.internal', 'HTTP://[::1]:8080/tools/', '/api', new URL('http://worker/below')])(
    '%s is where a server can be',
    (url) => {
      const { Tool, Activity } = createRegistry({ tools: schemas })
      expect(() => remoteActivities(url, { Tool, Activity })).not.toThrow()
    },
  )
})
