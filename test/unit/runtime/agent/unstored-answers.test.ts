import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { Agent, type AgentOptions } from 'callsheet/agent'
import { expect, test } from 'vitest'
import { registryWithTools } from './tools.ts'

type Item = Readonly<Record<string, unknown>>

const include = ['reasoning.encrypted_content']

/**
 * Runs an agent against a server of the Responses API that refuses, as OpenAI's does, an id of an answer which it has not
 * stored, and reasoning that consists of nothing else.
 */
async function run(isAllowedToStore: boolean, options: Partial<AgentOptions>) {
  const inputs: Item[][] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readText(request))
    const input = body.input as Item[]
    const store = isAllowedToStore && body.store !== false
    inputs.push(input)
    const unknown = input.find(
      ({ id, type, encrypted_content }) =>
        !store && (type === 'reasoning' ? !encrypted_content : id !== undefined),
    )
    const answer = unknown
      ? { error: { message: `Item with id '${unknown.id}' not found.`, type: 'invalid_request_error' } }
      : { status: 'completed', store, output: outputOf(input, body.include?.[0] === include[0]) }
    const events = unknown || !body.stream ? '' : eventsOf(answer)
    response.writeHead(unknown ? 404 : 200, {
      'content-type': events ? 'text/event-stream' : 'application/json',
    })
    response.end(events || JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { Tool, ran } = registryWithTools()
  try {
    const result = await Agent({
      ...{ model: 'm', api: 'responses', baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'x' },
      ...{ tools: Tool, output: { type: 'string' }, mode: 'native', ...options },
    })
    return { result, ran, inputs }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

function outputOf(input: readonly Item[], isEncrypted: boolean): Item[] {
  const turn = input.filter(({ type }) => type === 'function_call_output').length
  const reasoning = {
    ...{ type: 'reasoning', id: `rs_${turn}`, summary: [] },
    ...(isEncrypted && { encrypted_content: `secret ${turn}` }),
  }
  if (turn === 2) {
    const content = [{ type: 'output_text', text: '{"output":"done"}' }]
    return [reasoning, { type: 'message', id: `msg_${turn}`, role: 'assistant', content }]
  }
  const call = { name: 'pay', arguments: JSON.stringify({ amount: turn }) }
  return [reasoning, { type: 'function_call', id: `fc_${turn}`, call_id: `call_${turn}`, ...call }]
}

function eventsOf(answer: { readonly output?: readonly Item[] }): string {
  const items = answer.output?.map((item, output_index) => ({
    type: 'response.output_item.done',
    output_index,
    item,
  }))
  return [...(items ?? []), { type: 'response.completed', response: answer }]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}

const sentBack = (inputs: readonly Item[][], kind: string): Item[] =>
  (inputs.at(-1) ?? []).filter(({ type }) => type === kind)

test.each(
  [
    { isAllowedToStore: true, body: { store: false } },
    { isAllowedToStore: true, body: { store: false, include } },
    { isAllowedToStore: false, body: {} },
    { isAllowedToStore: false, body: { include } },
    { isAllowedToStore: true, body: {} },
  ].flatMap((each) => [true, false].map((stream) => ({ ...each, stream }))),
)(
  'REQ-6a a server that stores nothing is told what it said, without ids: %j',
  async ({ isAllowedToStore, body, stream }) => {
    const { result, ran, inputs } = await run(isAllowedToStore, { body, stream })
    expect(result.output).toBe('done')
    expect(ran).toEqual([
      ['pay', 0],
      ['pay', 1],
    ])
    const isStored = isAllowedToStore && body.store === undefined
    const reasoning = sentBack(inputs, 'reasoning')
    expect(reasoning.map(({ id }) => id)).toEqual(isStored || body.include ? ['rs_0', 'rs_1'] : [])
    if (body.include) expect(reasoning[0]?.encrypted_content).toBe('secret 0')
    expect(sentBack(inputs, 'function_call').map(({ call_id }) => call_id)).toEqual(['call_0', 'call_1'])
  },
)
