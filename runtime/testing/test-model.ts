import type { ModelClient } from '../agent/transport/model-client.ts'
import { answerForms, cutUp, type ModelRequest } from './model-answer.ts'
import { type ListenOptions, type ModelServer, type Respond, serveModel } from './model-server.ts'

/**
 * A model for tests. As it is, it serves as the `client` of a Request, in this process; after `listen()` it speaks
 * HTTP, so that the real `openai` client is what a test uses.
 */
export interface TestModel extends ModelClient {
  /** What it was asked so far, oldest first. */
  readonly requests: readonly ModelRequest[]
  listen(options?: ListenOptions): Promise<ModelServer>
}

/** Characters in one piece of an answer that is streamed in this process. */
const pieceLength = 16

/** Makes the test model of a function that answers. */
export function testModel(respond: Respond): TestModel {
  const requests: ModelRequest[] = []
  const answer: Respond = (request) => {
    requests.push(request)
    return respond(request)
  }
  const create = (api: ModelRequest['api']) => async (body: object) => {
    const request: ModelRequest = { api, body: JSON.parse(JSON.stringify(body)) }
    const given = await answer(request)
    const { model, stream } = request.body
    const form = answerForms[api]
    if (stream !== true) return form.whole(given, String(model))
    return eventsOf(form.events(given, String(model), cutUp(given.text ?? '', pieceLength, [])))
  }
  return {
    requests,
    chat: { completions: { create: create('chat') } },
    responses: { create: create('responses') },
    listen: (options) => serveModel(answer, options),
  }
}

async function* eventsOf(events: readonly { readonly data: unknown }[]): AsyncGenerator<unknown> {
  for (const { data } of events) yield data
}
