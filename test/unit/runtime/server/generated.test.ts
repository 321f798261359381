import { remoteActivities, toolServer } from 'callsheet/server'
import { expect, test } from 'vitest'
import { Activity, contract, Tool } from '../../../../generated/index.ts'
import { listen } from './serving.ts'

test('SERVE-1, SERVE-4 generated registries are served and reached as they are, without a cast', async () => {
  Activity.register('PhraseEmphasis.bold', async (call) => `**${call.phrase}**`)
  const server = toolServer(Tool)
  const url = await listen(server)
  // Both sides hash the same: what is generated, and what is served.
  const listed = (await (await fetch(`${url}/tools`)).json()) as {
    contract: string
    tools: { name: string; contract: string }[]
  }
  expect(listed.contract).toBe(contract.hash)
  expect(Object.fromEntries(listed.tools.map((tool) => [tool.name, tool.contract]))).toEqual(contract.tools)
  expect(() => remoteActivities(url, { Tool, Activity, names: [] })).not.toThrow()
  // @ts-expect-error: the names are those of the Tools
  expect(() => remoteActivities(url, { Tool, Activity, names: ['fileStat'] })).toThrow(/no Tool "fileStat"/)
})
