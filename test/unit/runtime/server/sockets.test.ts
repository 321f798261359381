import { serveHttp } from 'callsheet/server'
import { describe, expect, test } from 'vitest'
import { json, open, posting, request, send, statusOf, untilClosed } from './raw-socket.ts'
import { post, serve, serveWorkshop, until, workshop } from './serving.ts'

/** Quick limits, and what a busy machine may add to them. */
const quick = { headTime: 200, idleTime: 200, bodyTime: 200, answerTime: 300, drainTime: 100 }
const slack = 4_000

describe('SERVE-6 what a connection may do', () => {
  test('one that says nothing is closed', async () => {
    const { url } = await serveWorkshop({ limits: quick })
    const { after } = await untilClosed(open(url))
    expect(after).toBeLessThan(quick.headTime + slack)
  })

  test('a head that comes a line at a time, and never ends, is 408', async () => {
    const { url } = await serveWorkshop({ limits: quick })
    const socket = open(url)
    socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n')
    const timer = setInterval(() => socket.write('x-more: 1\r\n'), 50)
    const { said, after } = await untilClosed(socket)
    clearInterval(timer)
    expect(statusOf(said)).toBe(408)
    expect(after).toBeLessThan(quick.headTime + slack)
  })

  test('after an answer it may stay for a while, and not for ever', async () => {
    const { url } = await serveWorkshop({ limits: quick })
    const socket = open(url)
    socket.write(request('GET /health', ['host: localhost']))
    const { said, after } = await untilClosed(socket)
    expect(statusOf(said)).toBe(200)
    expect(after).toBeLessThan(quick.idleTime + slack)
  })

  test('a body that nobody wants, and that never ends, is answered and then closed', async () => {
    const { url } = await serveWorkshop({ limits: quick })
    const socket = open(url)
    socket.write(request('POST /nowhere', ['host: localhost', 'content-length: 1000000']))
    const timer = setInterval(() => socket.write('x'.repeat(1_000)), 20)
    const { said, after } = await untilClosed(socket)
    clearInterval(timer)
    expect(statusOf(said)).toBe(404)
    expect(after).toBeLessThan(1_000 + slack)
  })

  test.each([
    ['an answer', 'accept: application/json'],
    ['a stream', 'accept: text/event-stream'],
  ])('%s that nobody reads is let go of after a while, whatever else its client sends', async (_, accept) => {
    const { Tool, Activity } = workshop()
    // More than the buffers of both ends of a connection hold.
    Activity.register('Files.tree', async () => ({ name: 'x'.repeat(32_000_000) }), { replace: true })
    const { url } = await serve(Tool, { limits: quick })
    const socket = open(url)
    socket.write(posting('/calls', '{"_tool":"Files.tree","folder":{"name":"a"}}', [accept]))
    // The first bytes are there, and nobody takes them. Only who reads or writes learns that the other end is gone.
    await new Promise<void>((resolve) => socket.once('readable', resolve))
    const timer = setInterval(() => socket.write('\r\n'), 50)
    await new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', resolve))
    clearInterval(timer)
  })

  test('an answer in many pieces arrives whole, and so does the next on its connection', async () => {
    const { Tool } = workshop()
    const { url } = await serve(Tool)
    // Of three bytes each, so that pieces end within characters.
    const name = '\u20ac'.repeat(100_000)
    const asked = posting('/calls', JSON.stringify({ _tool: 'Files.tree', folder: { name } }))
    const socket = open(url)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.write(asked + asked.replace('host: localhost', 'host: localhost\r\nconnection: close'))
    await untilClosed(socket)
    const said = Buffer.concat(chunks).toString()
    const names = Array.from(said.matchAll(/"output":\{"name":"([^"]*)"/g), ([, output]) => output === name)
    expect(names).toEqual([true, true])
    expect(statusOf(said)).toBe(200)
  })

  test('a Call that takes longer than all of that is answered', async () => {
    const { url } = await serveWorkshop({ limits: quick })
    const { body } = await post(`${url}/calls`, { _tool: 'wait', time: 1_500 })
    expect(body.output).toBe('done')
  })

  test('so many connections, and no more', async () => {
    const { url } = await serveWorkshop({ limits: { ...quick, headTime: 5_000, connections: 2 } })
    const [first, second] = [open(url), open(url)]
    await Promise.all([first, second].map((socket) => new Promise((done) => socket.once('connect', done))))
    const { said } = await untilClosed(open(url))
    expect(said).toBe('')
    first.write(request('GET /health', ['host: localhost', 'connection: close']))
    expect(statusOf((await untilClosed(first)).said)).toBe(200)
    second.destroy()
  })
})

describe('SERVE-6 clients that leave, by a socket', () => {
  test('what runs for it is stopped, and what waits behind that never begins', async () => {
    const { url, server, deeds } = await serveWorkshop()
    const socket = open(url)
    socket.write(posting('/calls', '{"_tool":"wait","time":60000}').repeat(3))
    await until(() => deeds.started === 1)
    socket.resetAndDestroy()
    await until(() => deeds.aborted === 1)
    await server.close()
    expect(deeds).toMatchObject({ started: 1, aborted: 1 })
  })

  test('who closes the own half has gone away', async () => {
    const { url, deeds } = await serveWorkshop()
    const socket = open(url)
    socket.end(posting('/tools/wait', '{"time":60000}'))
    await until(() => deeds.aborted === 1)
    expect(deeds).toMatchObject({ started: 1, aborted: 1 })
  })

  test('who closes the own half has what is answered at once all the same', async () => {
    const { url } = await serveWorkshop()
    const socket = open(url)
    socket.end(posting('/tools/add', '{"left":1,"right":2}', ['connection: close']))
    const { said } = await untilClosed(socket)
    expect(said).toMatch(/\r\n\r\n3$/)
  })
})

describe('SERVE-6 many requests at once on one connection', () => {
  test('are answered one after the other, in their order', async () => {
    const { url } = await serveWorkshop()
    const socket = open(url)
    const asked = Array.from({ length: 50 }, (_, index) =>
      posting(
        '/tools/add',
        JSON.stringify({ left: index, right: 1_000 }),
        index === 49 ? ['connection: close'] : [],
      ),
    )
    socket.write(asked.join(''))
    const { said } = await untilClosed(socket)
    expect(said.match(/(?<=\r\n\r\n)\d{4}/g)).toEqual(
      Array.from({ length: 50 }, (_, index) => `${1_000 + index}`),
    )
  })

  test('are not looked at while nobody reads the answers', async () => {
    let looked = 0
    const { Tool } = workshop()
    const text = 'x'.repeat(100_000)
    for (const name of ['one', 'two', 'three'])
      Tool.register(name, { type: 'object', description: text, properties: { _output: { type: 'string' } } })
    const { url } = await serve(Tool, {
      authorize: () => {
        looked += 1
        return { id: 'anna' }
      },
    })
    const socket = open(url)
    socket.pause()
    socket.write(request('GET /openapi.json', ['host: localhost']).repeat(1_000))
    let before = 0
    await until(async () => {
      before = looked
      await new Promise((resolve) => setTimeout(resolve, 500))
      return looked > 0 && looked === before
    })
    // So many as the buffers of both ends have room for, and one more.
    expect(looked).toBeLessThan(100)
    socket.destroy()
  })
})

describe('SERVE-6 clients that ask before they send', () => {
  const asking = (path: string, length: number, more: readonly string[] = []) =>
    request(`POST ${path}`, ['host: localhost', 'expect: 100-continue', `content-length: ${length}`, ...more])

  test('are told to when somebody wants the body', async () => {
    const { url } = await serveWorkshop()
    const socket = open(url)
    const body = '{"left":1,"right":2}'
    socket.write(asking('/tools/add', body.length, [json, 'connection: close']))
    socket.once('data', (data) => {
      expect(String(data)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
      socket.write(body)
    })
    const { said } = await untilClosed(socket)
    expect(said).toMatch(/\r\n\r\n3$/)
  })

  test('are not told so by a protocol that has no such question', async () => {
    const { url } = await serveWorkshop()
    const body = '{"left":1,"right":2}'
    const old = asking('/tools/add', body.length, [json]).replace('HTTP/1.1', 'HTTP/1.0')
    expect(statusOf(await send(url, old + body))).toBe(200)
  })

  test.each([
    ['/nowhere', 10, 404],
    ['/tools/add', 10_000_000, 413],
  ])('are told at once why not: %s, %i bytes', async (path, length, status) => {
    const { url } = await serveWorkshop()
    expect(statusOf(await send(url, asking(path, length, [json])))).toBe(status)
  })
})

describe('SERVE-1 serveHttp', () => {
  test('says where it listens, and refuses what it cannot', async () => {
    const { Tool } = workshop()
    await expect(serveHttp(Tool, { host: '0.0.0.0', port: 0 })).rejects.toThrow(
      'A server that listens on 0.0.0.0 is reached from other machines, and needs the option "authorize"',
    )
    await (await serveHttp(Tool, { host: 'LOCALHOST', port: 0 })).close()
    const server = await serveHttp(Tool, { port: 0 })
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await expect(serveHttp(Tool, { port: Number(new URL(server.url).port) })).rejects.toThrow('EADDRINUSE')
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow()
  })

  test('`authorize` has the request as it came, with a body that can still be read', async () => {
    const seen: unknown[] = []
    const { url } = await serveWorkshop({
      authorize: async (asked) => {
        const { method, headers } = asked
        const { pathname, searchParams } = new URL(asked.url)
        seen.push([method, pathname, searchParams.get('q'), headers.get('x-who'), await asked.clone().text()])
        return { id: 'anna' }
      },
    })
    const answer = await post(`${url}/tools/add?q=1`, { left: 1, right: 2 }, { 'x-who': 'anna' })
    expect(answer).toMatchObject({ status: 200, body: 3 })
    expect(seen).toEqual([['POST', '/tools/add', '1', 'anna', '{"left":1,"right":2}']])
  })

  test('closing ends what runs in order: its answer comes, new connections do not', async () => {
    const { url, server, deeds, endWaits } = await serveWorkshop({ limits: { drainTime: 30_000 } })
    const running = post(`${url}/calls`, { _tool: 'wait', time: 60_000 })
    const streamed = fetch(`${url}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: '{"_tool":"wait","time":60000}',
    }).then((response) => response.text())
    await until(() => deeds.started === 2)
    const closed = server.close()
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    endWaits()
    expect((await running).body.output).toBe('done')
    expect(await streamed).toMatch(/event: result\ndata: .*"done"/)
    await closed
  })
})
