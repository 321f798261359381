// What a Call costs on Restate beside the bare SDK: `node speed-worker.mjs PORT`. Both send each Call to a handler that
// records the work as a step, 64 in flight, told by the SDK's `race`.
import * as restate from '@restatedev/restate-sdk'
import { createRegistry } from 'callsheet'
import { restateHandler, restateServices } from 'callsheet/restate'

const number = { type: 'number' }
const { Tool, Activity } = createRegistry({
  tools: {
    add: {
      type: 'object',
      effects: 'read',
      properties: { _tool: { const: 'add' }, left: number, right: number, _output: number },
      required: ['_tool', 'left', 'right'],
      additionalProperties: false,
    },
  },
})
const add = ({ left, right }) => left + right
Activity.register('add', add)

const inFlight = 64

const bare = restate.service({
  name: 'bare',
  handlers: {
    add: (ctx, call) => ctx.run('add', () => add(call)),
    all: async (ctx, count) => {
      const tools = ctx.serviceClient({
        name: 'bare',
      })
      const pending = new Map()
      let sum = 0
      for (let next = 0; next < count || pending.size > 0; ) {
        while (next < count && pending.size < inFlight) {
          const place = next++
          const called = tools.add(
            { left: place, right: 1 },
            restate.rpc.opts({ idempotencyKey: `${ctx.request().id}:${place}` }),
          )
          pending.set(
            place,
            called.map((output = 0) => {
              sum += output
              return place
            }),
          )
        }
        pending.delete(await restate.RestatePromise.race([...pending.values()]))
      }
      return sum
    },
  },
})

const own = restate.service({
  name: 'own',
  handlers: {
    all: restateHandler({ Tool, sdk: restate }, async ({ all }, count) => {
      const calls = Array.from({ length: count }, (_, left) => ({ _tool: 'add', left, right: 1 }))
      const outputs = await all(calls, { concurrency: inFlight })
      return outputs.reduce((sum, output) => sum + Number(output), 0)
    }),
  },
})

const services = [...(await restateServices({ Tool, sdk: restate })), bare, own]
await restate.serve({ services, port: Number(process.argv[2]) })
