import { isJsonObject } from '../../../runtime/json/json.ts'
import { findTokenCounter } from '../../explain/token-counter.ts'
import { schemaOfListed } from '../../remote/listed-tools.ts'
import { readOutcome } from '../../remote/read-outcome.ts'
import type { ServerClient } from '../../remote/server-client.ts'
import type { Workbench } from './workbench.ts'

/**
 * The Tools of a process that serves them (`callsheet serve`, `toolServer`).
 *
 * @param root The folder to look for a tokenizer in.
 * @param onRefused Told of each Tool that is listed in a way that cannot be shown, and is left out.
 * @throws GeneratorError `invalid_usage` when it does not answer, or refuses.
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
