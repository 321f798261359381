import { serve } from '@restatedev/restate-sdk'
import { restateServices } from 'callsheet/restate'
import { payer } from './agent.ts'
import { Tool } from './tools.ts'

await serve({
  services: await restateServices({ Tool, agents: { payer } }),
  port: Number(process.env.PORT ?? 9080),
})
