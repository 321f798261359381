import type { AnthropicClient, OpenAIClient } from '../agent/transport/model-client.ts'
import { isFunction } from '../problems/field-rule.ts'
import { optionProblems, requireArgument, wrongOptions } from '../problems/option-problems.ts'
import { answerForms } from './answer-forms.ts'
import { answerRules, cutUp, type ModelRequest } from './model-answer.ts'
import { type ListenOptions, type ModelServer, type Respond, serveModel } from './model-server.ts'

/**
 * A model for tests. Pass it as the `client` of a Request, with any `api`; or call `listen()` to serve it over HTTP, so
 * that a test uses the real client.
 */
export interface TestModel extends OpenAIClient, AnthropicClient {
  readonly responses: NonNullable<OpenAIClient['responses']>
  /** The requests so far, oldest first. */
  readonly requests: readonly ModelRequest[]
  listen(options?: ListenOptions): Promise<ModelServer>
}

/** Characters in each piece of an answer that is streamed within this process. */
const pieceLength = 16

/** Creates a test model from a function that answers. */
export function testModel(respond: Respond): TestModel {
  requireArgument('testModel', respond, [isFunction, 'a function that answers'])
  const requests: ModelRequest[] = []
  const answer: Respond = async (request) => {
    requests.push(request)
    const given = await respond(request)
    const problems = optionProblems(given, answerRules)
    if (problems.length > 0) throw wrongOptions('the answer of a testModel', problems)
    return given
  }
  const create = (api: ModelRequest['api']) => async (body: object) => {
    const request: ModelRequest = { api, body: JSON.parse(JSON.stringify(body)) }
    const given = await answer(request)
    const { model, stream } = request.body
    const form = answerForms[api]
    if (stream !== true) return form.whole(given, String(model))
    return eventsOf(form.events(given, String(model), cutUp(given, pieceLength)))
  }
  return {
    requests,
    chat: { completions: { create: create('chat') } },
    responses: { create: create('responses') },
    messages: { create: create('messages') },
    listen: (options) => serveModel(answer, options),
  }
}

async function* eventsOf(events: readonly { readonly data: unknown }[]): AsyncGenerator<unknown> {
  for (const { data } of events) yield data
}
