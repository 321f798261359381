import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Call } from 'callsheet'
import { Request, type RequestOptions } from 'callsheet/agent'
import { describe, expect, test } from 'vitest'
import { Tool } from '../../../../generated/index.ts'

interface SentBody {
  readonly messages: readonly { readonly content: string }[]
  readonly response_format: { readonly json_schema: { readonly schema: object } }
}

/** Asks over loopback, and gives what the server received and what came of it. */
async function sent(
  options: Partial<RequestOptions>,
  calls: readonly Call[] = [],
): Promise<{ body: SentBody; result: Awaited<ReturnType<typeof Request>> }> {
  let received = ''
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      received = Buffer.concat(pieces).toString('utf8')
      const message = { role: 'assistant', content: JSON.stringify({ calls }) }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const result = await Request({
      model: 'm',
      baseURL: `http://127.0.0.1:${port}/v1`,
      apiKey: 'x',
      tools: Tool,
      context: [{ type: 'text', text: 'Go.' }],
      ...options,
    })
    return { body: JSON.parse(received) as SentBody, result }
  } finally {
    server.close()
  }
}

const committed = (dialect: string): string => {
  const file = new URL(`../../../../generated/composed/${dialect}.json`, import.meta.url)
  return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))
}

const schemaOf = (body: SentBody): string => JSON.stringify(body.response_format.json_schema.schema)

describe('REQ-14 what is committed is what is sent', () => {
  test.each(['openai', 'json-schema'] as const)('%s: byte for byte', async (dialect) => {
    const { body } = await sent({ dialect, mode: 'composed' })
    expect(schemaOf(body)).toBe(committed(dialect))
  })

  test('an option that a Request says otherwise changes it', async () => {
    const { body } = await sent({ references: 'none' })
    expect(schemaOf(body)).not.toBe(committed('openai'))
    expect(schemaOf(body)).not.toContain('†')
  })
})

test('REQ-15 `only` and `without` choose the Tools, by name, toolkit or function', async () => {
  const names = async (options: Partial<RequestOptions>): Promise<unknown[]> => {
    const { body } = await sent({ dialect: 'json-schema', ...options })
    const found = schemaOf(body).matchAll(/"_tool":\{"type":"string","const":"([^"]+)"/g)
    return [...found].map(([, name]) => name)
  }
  expect(await names({ only: ['readLine', 'PhraseEmphasis.*'] })).toEqual([
    'PhraseEmphasis.bold',
    'PhraseEmphasis.italic',
    'readLine',
  ])
  expect(await names({ only: ['PhraseEmphasis.*'], without: ({ name }) => name.endsWith('bold') })).toEqual([
    'PhraseEmphasis.italic',
  ])
  await expect(sent({ only: ['readLines'] })).rejects.toThrow('Did you mean "readLine"?')
  // A promise is true, so that it would offer every Tool.
  for (const option of ['only', 'without']) {
    const late = async (): Promise<boolean> => Promise.reject(new Error('late'))
    await expect(sent({ [option]: late as never })).rejects.toThrow(`\`${option}\` answered`)
  }
})

test('REQ-13 the prompt explains the fields that occur, and no others', async () => {
  const system = async (options: Partial<RequestOptions>): Promise<string> =>
    (await sent(options)).body.messages[0]?.content ?? ''
  const silent = await system({
    tools: [
      { type: 'object', properties: { _tool: { type: 'string', const: 'noop' } }, required: ['_tool'] },
    ],
  })
  for (const field of ['_outputPath', '†', '_scopes', '_delegate', '_activity'])
    expect(silent).not.toContain(field)
  const latent = {
    type: 'object',
    properties: {
      _tool: { type: 'string', const: 'guess' },
      _output: { type: 'string' },
      _outputPath: { type: 'string' },
    },
    required: ['_tool'],
  }
  const full = await system({ tools: [latent] })
  for (const field of ['"_outputPath"', '†state.order', '"_activity" is ""']) expect(full).toContain(field)
  expect(full).not.toContain('_scopes')
  const own = await system({ tools: [latent], explain: { _outputPath: 'Say where.', references: '' } })
  expect(own).toContain('Say where.')
  expect(own).not.toContain('†')
})

test('REF-5 a plan with References is accepted, and its Vessel replays', async () => {
  const number = { type: 'number' }
  const schema = (name: string): object => ({
    type: 'object',
    properties: {
      _tool: { type: 'string', const: name },
      _outputPath: { type: 'string' },
      a: number,
      _output: number,
    },
    required: ['_tool', 'a'],
  })
  const call = { _reasoningForCall: '', _activity: '' }
  const plan = [
    { _tool: 'one', ...call, a: 1, _outputPath: '†state.a', _output: 2 },
    { _tool: 'two', ...call, a: '†state.a', _outputPath: null, _output: null },
  ]
  const { result } = await sent({ tools: [schema('one'), schema('two')] as never }, plan)
  expect(result.solution.calls[1]).toEqual({ _tool: 'two', ...call, a: '†state.a' })
  expect(result.vessel.replay().calls).toEqual(result.solution.calls)
})
