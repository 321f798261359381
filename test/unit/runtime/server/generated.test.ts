import { remoteActivities, toolServer } from 'callsheet/server'
import { expect, test } from 'vitest'
import { Activity, Tool } from '../../../../generated/index.ts'
import { listen } from './serving.ts'

test('SERVE-1, SERVE-4 generated registries are served and reached as they are, without a cast', async () => {
  Activity.register('PhraseEmphasis.bold', async (call) => `**${call.phrase}**`)
  const server = toolServer(Tool)
  const url = await listen(server)
  expect(await (await fetch(`${url}/tools`)).json()).toMatchObject({ tools: expect.any(Array) })
  expect(() => remoteActivities(url, { Tool, Activity, names: [] })).not.toThrow()
})
