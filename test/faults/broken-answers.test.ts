import Anthropic from '@anthropic-ai/sdk'
import { isCallsheetError } from 'callsheet'
import { Request, type RequestOptions } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { runs } from '../runs.ts'
import { add, pay, registryWithTools } from '../unit/runtime/agent/tools.ts'

/** Every so many bytes; `FAULT_STEP=1` tries each of them. */
const step = Number(process.env.FAULT_STEP ?? 2900 / runs(100))

type Form = Pick<RequestOptions, 'api' | 'mode'>
const forms: readonly Form[] = [
  { api: 'chat', mode: 'composed' },
  { api: 'responses', mode: 'composed' },
  { api: 'chat', mode: 'native' },
  { api: 'responses', mode: 'native' },
  { api: 'messages', mode: 'native' },
]

const calls = [add(1, 2), pay(3), { _tool: 'judge', text: 'é†☃😀' }]

/** What a server sends for these Calls, byte by byte. */
async function recorded(
  form: Form,
  stream: boolean,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const server = await scriptedModel([{ calls }]).listen()
  let sent = new Response()
  const client = clientOf(
    form,
    async (url, init) => {
      const response = await fetch(url, init)
      const bytes = await response.arrayBuffer()
      sent = new Response(bytes.slice(0), { headers: response.headers })
      return new Response(bytes, { headers: response.headers })
    },
    server.baseURL,
  )
  await Request({ model: 'm', client, ...form, stream, tools: registryWithTools().Tool })
  await server.close()
  return { bytes: new Uint8Array(await sent.arrayBuffer()), type: sent.headers.get('content-type') ?? '' }
}

/** The real client of the API. */
function clientOf(
  { api }: Form,
  answer: typeof fetch,
  baseURL = 'http://127.0.0.1:9/v1',
): OpenAI | Anthropic {
  const options = { apiKey: 'none', baseURL, maxRetries: 0, fetch: answer }
  return api === 'messages' ? new Anthropic(options) : new OpenAI(options)
}

/** The beginning of an answer; then the connection is lost, or closed as if all was well. */
function cutOff(bytes: Uint8Array<ArrayBuffer>, length: number, isLost: boolean): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, length))
    },
    pull(controller) {
      if (isLost) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
}

const ways = forms.flatMap((form) =>
  [true, false].flatMap((stream) => [true, false].map((isLost) => ({ ...form, form, stream, isLost }))),
)

test.each(ways)(
  'REQ-6 $api, $mode, streamed: $stream, lost: $isLost; broken at every byte: a whole Solution or an error, never a half',
  { timeout: 120_000 },
  async ({ form, stream, isLost }) => {
    const { bytes, type } = await recorded(form, stream)
    const { Tool } = registryWithTools()
    let failed = 0
    for (let length = 0; length < bytes.length; length += step) {
      const client = clientOf(
        form,
        async () => new Response(cutOff(bytes, length, isLost), { headers: { 'content-type': type } }),
      )
      const result = await Request({
        model: 'm',
        client,
        ...form,
        stream,
        tools: Tool,
        retry: { attempts: 1 },
      }).catch((error: unknown) => error)
      if (isCallsheetError(result)) {
        failed++
        expect(['connection_failed', 'answer_invalid', 'answer_truncated', 'server_error']).toContain(
          result.code,
        )
      } else {
        // The answer itself had come whole: only what follows it was missing.
        const { solution } = result as { solution: { calls: readonly object[] } }
        expect(solution.calls, `${length} of ${bytes.length} bytes`).toMatchObject(calls)
      }
    }
    expect(failed).toBeGreaterThan((bytes.length / step) * 0.5)
  },
)
