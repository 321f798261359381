import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { LogFile } from '../../../../codegen/cli/log-file.ts'
import { sampleProject } from '../../../sample-project.ts'
import { temporaryFolder } from '../write/temporary-folder.ts'
import { callsheet } from './in-terminal.ts'

const repository = join(import.meta.dirname, '../../../..')
const root = sampleProject()
const servers: ChildProcess[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL')
})

/** Starts `callsheet serve` on the sample of this repository. */
async function serve(...args: string[]) {
  const server = spawn(
    process.execPath,
    [join(repository, 'dist/cli.js'), 'serve', '--port', '0', '--cwd', root, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  servers.push(server)
  const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  return { server, url }
}

/** How a process ends that is asked to. On Windows nothing asks it: it is ended. */
const ended = process.platform === 'win32' ? [null, 'SIGTERM'] : [0, null]

describe('SERVE-1 callsheet serve', () => {
  test('serves the sample on loopback, says where, and ends in order', async () => {
    const { server, url } = await serve()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok' })
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { openapi: string; paths: object }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/tools/PhraseEmphasis.bold')
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual(ended)
  })

  test.each([
    [
      'export default { limits: { concurrency: -1 } }',
      '/limits/concurrency: expected a positive whole number, got -1.',
    ],
    ['export default { hosts: ["x"] }', 'needs the option "authorize"'],
    [
      'export default { authorise: () => ({ id: "a" }) }',
      '/authorise: no such property; did you mean "authorize"?',
    ],
    ['throw new Error("db down")', 'db down'],
  ])('a module of options that is wrong: %s', async (text, want) => {
    const file = join(temporaryFolder(), 'options.mjs')
    writeFileSync(file, text)
    for (const named of [relative(root, file), file]) {
      const { code, out, err } = await callsheet(root, ['serve', '--port', '0', '--options', named])
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(want)
      expect(err).not.toContain('Callsheet itself failed')
      expect(err).not.toContain('runs the file alone')
    }
  })

  test.each([['serve', '--stdio'], ['studio']])(
    'a misspelt `run`, whose `confirm` would ask nobody, is refused by %s %s',
    async (...args) => {
      const file = join(temporaryFolder(), 'options.mjs')
      writeFileSync(file, 'export default { runs: { confirm: () => false } }')
      const { code, out, err } = await callsheet(root, [...args, '--options', relative(root, file)])
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain('/runs: no such property')
    },
  )

  test.each([
    [['serve', '--port', 'x'], '--port takes a number'],
    [['serve', '--host', '0.0.0.0'], 'nothing says who may'],
    [['serve', '--stdio', '--port', '80'], '--port has no meaning with --stdio'],
    [['serve', '--stdio', '--host', 'localhost'], '--host has no meaning with --stdio'],
    [['serve', '--set', 'nowhere'], 'No set is generated into nowhere'],
    [['serve', '--options', 'nowhere.mjs'], 'The file nowhere.mjs does not exist.'],
    [['studio', '--options', '/nowhere/options.mjs'], 'The file /nowhere/options.mjs does not exist.'],
  ])('wrong usage: %j', async (args, text) => {
    const { code, err } = await callsheet(root, args)
    expect(code).toBe(2)
    expect(err).toContain(text)
  })
})

describe('SERVE-7 callsheet call', () => {
  test('runs a Call here, from options, from JSON and from standard input', async () => {
    const bold = await callsheet(root, ['call', 'PhraseEmphasis.bold', '--phrase', 'hi'])
    expect(bold).toMatchObject({ code: 0, out: '"**hi**"\n' })
    const json = await callsheet(root, ['call', 'PhraseEmphasis.bold', '--json', '-'], {
      input: '{"phrase":"†state.x"}',
    })
    expect(json.out).toBe('"**†state.x**"\n')
    const outcome = await callsheet(root, ['call', 'PhraseEmphasis.bold', '--phrase', '7', '--outcome'])
    expect(JSON.parse(outcome.out)).toMatchObject({ status: 'succeeded', call: { phrase: '7' } })
  })

  test('objects and lists are JSON; what does not fit is said by the Tool, every problem at once', async () => {
    const found = await callsheet(root, [
      'call',
      'searchText',
      '--query',
      'glacier',
      '--where',
      '{"folder":"examples/sample/texts"}',
      '--options',
      '{"limit":1}',
    ])
    expect(found.code).toBe(0)
    expect(JSON.parse(found.out)).toHaveLength(1)
    const refused = await callsheet(root, [
      'call',
      'searchText',
      '--json',
      '{"query":""}',
      '--where',
      '{"folder":1}',
    ])
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/invalid_call/)
    expect(refused.err).toMatch(/\/query/)
    expect(refused.err).toMatch(/\/where\/folder/)
    const text = await callsheet(root, ['call', 'searchText', '--query', 'a', '--where', 'here'])
    expect(text).toMatchObject({ code: 2, err: expect.stringContaining('--where takes JSON, got here.') })
  })

  test('help comes from the schema', async () => {
    const { code, out } = await callsheet(root, ['call', 'searchText', '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/--query TEXT +What to look for, as plain text\. Required\./)
    expect(out).toMatch(/--where JSON/)
  })

  test.each([
    [['call'], 'takes the name of a Tool first'],
    [['call', 'serchText'], 'Did you mean "searchText"?'],
    [['call', 'searchText', '--qery', 'x'], 'Did you mean --query?'],
    [['call', 'searchText', '--json', '{'], '--json is not JSON'],
    [['call', 'searchText', '--json', '{"_tool":"appendNote"}'], '--json names the Tool "appendNote"'],
    [['call', 'searchText', '--json', '[]'], '--json is not an object'],
    [['call', 'searchText', '--url', 'http://127.0.0.1:1'], 'does not answer: bad port'],
    [['call', 'searchText', '--url', 'localhost:3000'], '"localhost:3000" is not the URL of a server'],
    [
      ['call', 'searchText', '--url', 'http://ada:hunter2@host/?x'],
      '"http://…@host/?…" is not the URL of a server',
    ],
    [
      ['call', 'searchText', '--url', 'http://host/?key=hunter2'],
      '"http://host/?…" is not the URL of a server',
    ],
    [
      ['call', 'searchText', '--url', 'http://127.0.0.1:1', '--header', 'hunter2'],
      '--header takes NAME:VALUE',
    ],
    [
      ['call', 'searchText', '--url', 'http://127.0.0.1:1', '--header', 'x: €'],
      'characters that headers cannot',
    ],
    [['call', 'searchText', '--header', 'a: b'], '--header is for a server'],
  ])('wrong usage: %j', async (args, text) => {
    const { code, err } = await callsheet(root, args)
    expect(code).toBe(2)
    expect(err).toContain(text)
    expect(err).not.toContain('hunter2')
  })

  test.each([
    ['before its answer', ''],
    ['within its answer', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{'],
  ])('SERVE-7 of a Call whose connection breaks %s nobody knows whether it ran', async (_, answer) => {
    const server = createServer((asked, response) => {
      const look = { name: 'look', inputSchema: { type: 'object' }, contract: '0123456789abcdef' }
      if (asked.url === '/tools')
        response.end(JSON.stringify({ contract: '0123456789abcdef', tools: [look] }))
      else asked.resume().once('end', () => asked.socket.end(answer))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, err } = await callsheet(root, ['call', 'look', '--url', url])
    expect(code).toBe(2)
    expect(err).toContain('Whether it ran is not known.')
  })

  test('an address that leads elsewhere is told of, since a Call would arrive as a GET', async () => {
    const moved = createServer((asked, response) =>
      response.writeHead(asked.url === '/new/tools' ? 404 : 301, { location: `/new${asked.url}` }).end(),
    ).listen(0, '127.0.0.1')
    onTestFinished(() => void moved.close())
    await once(moved, 'listening')
    const url = `http://127.0.0.1:${(moved.address() as AddressInfo).port}`
    const { code, err } = await callsheet(root, ['call', 'searchText', '--url', url])
    expect(code).toBe(2)
    expect(err).toContain(`${url} redirects to ${url}/new/tools.`)
  })

  test('a Tool that a server lists in a way that cannot be read takes no other with it', async () => {
    const tools = [
      null,
      { name: 'odd', inputSchema: { properties: { a: null } } },
      { name: 'pay', inputSchema: {} },
    ]
    const strange = createServer((asked, response) =>
      response.end(
        JSON.stringify(asked.url === '/tools' ? { tools } : { status: 'succeeded', output: 'paid' }),
      ),
    ).listen(0, '127.0.0.1')
    onTestFinished(() => void strange.close())
    await once(strange, 'listening')
    const url = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`
    expect(await callsheet(root, ['call', 'pay', '--url', url])).toMatchObject({ code: 0, out: '"paid"\n' })
    const { code, err } = await callsheet(root, ['call', 'odd', '--a', '1', '--url', url])
    expect(code).toBe(2)
    expect(err).toContain(
      'lists the Tool "odd" in an unusable form. Tool "odd" cannot be registered: its `properties.a` is null',
    )
  })

  test.each(['call searchText', 'studio'])(
    '%s: another kind of server is told from one of Tools',
    async (command) => {
      const other = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
      onTestFinished(() => void other.close())
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      const { code, err } = await callsheet(root, [
        ...command.split(' '),
        '--url',
        `http://127.0.0.1:${port}`,
      ])
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is not a Tool server') })
    },
  )

  test('a server that is busy, and a Tool of instances, are told as what they are', async () => {
    const answers: Record<string, [number, object]> = {
      '/tools': [200, { tools: [{ name: 'pay', inputSchema: {} }] }],
      '/calls': [429, { code: 'busy', detail: '64 Calls run.' }],
    }
    const server = createServer((asked, response) => {
      const [status, answer] = answers[asked.url ?? ''] ?? [404, {}]
      response.writeHead(status).end(JSON.stringify(answer))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const call = ['call', 'pay', '--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`]
    const busy = await callsheet(root, call)
    expect(busy.err).toMatch(/refused the request: 64 Calls run\.\n.*Try again later\./)
    const error = { code: 'unknown_instance', message: 'Unknown instance "a".' }
    answers['/calls'] = [200, { status: 'failed', error }]
    expect((await callsheet(root, call)).err).toContain('Unknown instance "a". There is no context here')
  })

  test('runs it at a server as well', async () => {
    const { url } = await serve()
    const bold = await callsheet(root, ['call', 'PhraseEmphasis.bold', '--phrase', 'there', '--url', url])
    expect(bold).toMatchObject({ code: 0, out: '"**there**"\n' })
    const refused = await callsheet(root, [
      'call',
      'PhraseEmphasis.bold',
      '--json',
      '{"phrase":""}',
      '--url',
      url,
    ])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('/phrase') })
    const help = await callsheet(root, ['call', 'PhraseEmphasis.bold', '--url', url, '--help'])
    expect(help.out).toContain('--phrase TEXT')
  })
})

describe('VIEW-3 callsheet serve --log', () => {
  test('adds every Call and its Outcome to a file', async () => {
    const file = join(temporaryFolder(), 'runs/served.jsonl')
    const { server, url } = await serve('--log', file)
    await fetch(`${url}/tools/PhraseEmphasis.bold`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"phrase":"hi"}',
    })
    server.kill('SIGTERM')
    await once(server, 'exit')
    const events = readFileSync(file, 'utf8').trim().split('\n')
    expect(events.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'start' },
      { event: 'dispatch', kind: 'call', call: { phrase: 'hi' }, effects: 'read' },
      { event: 'settle', outcome: { status: 'succeeded', output: '**hi**' } },
    ])
  })

  test('a file that cannot be written is said before anything is served', async () => {
    const { code, err } = await callsheet(root, ['serve', '--log', 'package.json/all.jsonl'])
    expect(code).toBe(2)
    expect(err).toContain('--log package.json/all.jsonl cannot be written')
    // Only Linux has a device that is full.
    if (process.platform !== 'linux') return
    const full = await callsheet(root, ['serve', '--log', '/dev/full'])
    expect(full).toMatchObject({
      code: 2,
      err: expect.stringContaining('--log /dev/full cannot be written: ENOSPC'),
    })
  })

  test('a file that takes no more stops nothing: it is told once, and again when it takes lines', () => {
    const path = join(temporaryFolder(), 'served.jsonl')
    const told: string[] = []
    const file = new LogFile(path, 'served.jsonl', (text) => told.push(text))
    file.add('first')
    rmSync(path)
    mkdirSync(path)
    for (const line of ['lost', 'lost']) file.add(line)
    rmdirSync(path)
    for (const line of ['third', 'fourth']) file.add(line)
    expect(told).toEqual([
      expect.stringMatching(
        /^--log served\.jsonl cannot be written: EISDIR.*Calls continue, but their lines are lost\.\n$/,
      ),
      '--log served.jsonl can be written again; lost lines: 2.\n',
    ])
    expect(readFileSync(path, 'utf8')).toBe('\nthird\nfourth\n')
  })
})

describe('SERVE-1 an operator', () => {
  test('who reads standard error may go: the server stays, until the terminal is closed', async () => {
    const file = join(temporaryFolder(), 'options.mjs')
    writeFileSync(file, "setInterval(() => console.error('tick'), 5)\nexport default {}\n")
    const { server, url } = await serve('--options', relative(root, file))
    server.stderr?.destroy()
    for (let round = 0; round < 5; round++) {
      await new Promise((passed) => setTimeout(passed, 40))
      expect((await fetch(`${url}/health`)).status).toBe(200)
    }
    server.kill(process.platform === 'win32' ? 'SIGTERM' : 'SIGHUP')
    expect(await once(server, 'exit')).toEqual(ended)
  })

  test('an address of IPv6 in brackets, as URLs have it', async () => {
    const { url } = await serve('--host', '[::1]')
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${url}/health`)).status).toBe(200)
  })

  test.each(['3e3', '0x10', ' 80', '80.0', '+80', '65536'])('--port %j is no port', async (port) => {
    const { code, err } = await callsheet(root, ['serve', '--port', port])
    expect(code).toBe(2)
    expect(err).toContain(`--port takes a number from 0 to 65535, got "${port}".`)
  })

  test('a name that no machine has is said, with what to do', async () => {
    const file = join(temporaryFolder(), 'options.mjs')
    writeFileSync(file, "export default { authorize: () => ({ id: 'a' }), hosts: ['nosuch.invalid'] }")
    const options = ['--host', 'nosuch.invalid', '--options', relative(root, file)]
    const { code, err } = await callsheet(root, ['serve', ...options])
    expect(code).toBe(2)
    expect(err).toMatch(/^error Cannot listen on nosuch\.invalid:3000: [A-Z_]+\.\n {2}fix: Pass a --host/)
  })
})

describe('SERVE-2 callsheet serve --stdio', () => {
  test('REQ-9 holds what its module of options says', async () => {
    const file = join(temporaryFolder(), 'options.mjs')
    const refuse = 'run: { confirm: () => ({ refuse: "not over stdio" }) }'
    writeFileSync(file, `export default { ${refuse}, instructions: 'Ask first.', openWorld: false }`)
    const args = ['serve', '--stdio', '--cwd', root, '--options', relative(root, file)]
    const server = spawn(process.execPath, [join(repository, 'dist/cli.js'), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    servers.push(server)
    const client = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    }
    const params = { name: 'PhraseEmphasis.bold', arguments: { phrase: 'hi' } }
    for (const message of [
      { id: 1, method: 'initialize', params: client },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params },
    ]) {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    }
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result } = JSON.parse(line) as { id: number; result: object }
      if (id === 1) expect(result).toMatchObject({ instructions: 'Ask first.' })
      if (id === 2) expect(JSON.stringify(result)).toContain('"openWorldHint":false')
      if (id !== 3) continue
      expect(result).toMatchObject({ isError: true })
      expect(JSON.stringify(result)).toContain('not over stdio')
      return
    }
    expect.fail('there is no answer')
  })
})

describe('VIEW-1 callsheet studio', () => {
  test('prints an address with a token, serves the page and what is behind the token, and ends in order', async () => {
    const studio = spawn(process.execPath, [join(repository, 'dist/cli.js'), 'studio', '--cwd', root], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    servers.push(studio)
    const [line] = (await once(createInterface({ input: studio.stdout }), 'line')) as [string]
    const { origin, hash } = new URL(line)
    expect(new URL(line).hostname).toBe('127.0.0.1')
    const page = await fetch(origin)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toContain('/studio.js')
    expect((await fetch(`${origin}/api/info`)).status).toBe(401)
    const authorization = `Bearer ${hash.slice('#token='.length)}`
    const info = (await (await fetch(`${origin}/api/info`, { headers: { authorization } })).json()) as object
    expect(info).toMatchObject({ isRemote: false, tools: expect.arrayContaining([]) })
    studio.kill('SIGTERM')
    expect(await once(studio, 'exit')).toEqual(ended)
  })

  test('looks at a server that runs, and runs Calls there', async () => {
    const { url } = await serve()
    const studio = spawn(
      process.execPath,
      [join(repository, 'dist/cli.js'), 'studio', '--url', url, '--cwd', root],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    servers.push(studio)
    const [line] = (await once(createInterface({ input: studio.stdout }), 'line')) as [string]
    const { origin, hash } = new URL(line)
    const headers = {
      authorization: `Bearer ${hash.slice('#token='.length)}`,
      'content-type': 'application/json',
    }
    const info = (await (await fetch(`${origin}/api/info`, { headers })).json()) as {
      tools: { name: string }[]
    }
    expect(info.tools.map(({ name }) => name)).toContain('searchText')
    const body = JSON.stringify({ call: { _tool: 'PhraseEmphasis.bold', phrase: 'hi' } })
    const ran = await (await fetch(`${origin}/api/calls`, { method: 'POST', headers, body })).text()
    expect(ran).toContain('"output":"**hi**"')
    const dialects = await fetch(`${origin}/api/tools/searchText/dialects`, {
      method: 'POST',
      headers,
      body: '{"dialects":["openai"]}',
    })
    expect(await dialects.json()).toMatchObject([{ dialect: 'openai' }])
  })

  test.each([
    [['studio', '--runs', 'nowhere'], 'There is no folder nowhere with runs'],
    [['studio', '--url', 'http://127.0.0.1:1'], 'does not answer'],
    [['studio', '--url', 'http://127.0.0.1:1', '--header', 'nonsense'], '--header takes NAME:VALUE'],
    [['studio', '--header', 'a: b'], '--header is for a server'],
    [['studio', '--port', 'x'], '--port takes a number'],
  ])('wrong usage: %j', async (args, text) => {
    const { code, err } = await callsheet(root, args)
    expect(code).toBe(2)
    expect(err).toContain(text)
  })
})
