import { isJsonObject } from '../../../runtime/json/json.ts'
import { findTokenCounter } from '../../explain/token-counter.ts'
import { schemaOfListed } from '../../remote/listed-tools.ts'
import { readOutcome } from '../../remote/read-outcome.ts'
import type { ServerClient } from '../../remote/server-client.ts'
import type { Workbench } from './workbench.ts'

/**
 * Creates the bench of a Tool server (`callsheet serve`, `toolServer`).
 *
 * @param root The folder in which a tokenizer is searched.
 * @param onRefused Called for each Tool that is listed in an unusable form and left out.
 * @throws GeneratorError `invalid_usage` if the server does not answer, or refuses the request.
 */
export async function servedBench(
  client: ServerClient,
  root: string,
  onRefused: (name: string, why: string) => void,
): Promise<Workbench> {
  const { tools, refused } = await client.tools()
  for (const [name, why] of refused) onRefused(name, why)
  return {
    place: client.base,
    isRemote: true,
    tools: tools.map((tool) => ({ name: tool.name, schema: schemaOfListed(tool), activity: tool.name })),
    dialects: ['openai', 'anthropic', 'gemini'],
    composeOptions: {},
    countTokens: await findTokenCounter(root),
    async run(call, { id, context, signal }, tell) {
      for await (const { event, data } of client.follow({ call, id, context }, signal)) {
        if (event === 'progress') tell({ event: 'progress', data })
        if (event === 'problem') {
          throw new Error(isJsonObject(data) && typeof data.detail === 'string' ? data.detail : 'It refused.')
        }
        if (event !== 'result') continue
        const outcome = readOutcome(data)
        if (outcome) return outcome
        throw new Error(`${client.base} sent no Outcome.`)
      }
      throw new Error(`${client.base} ended its answer before the Call did.`)
    },
  }
}
