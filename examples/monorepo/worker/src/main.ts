import { Tool } from '@delivery/contracts'
import { serveTools } from './serve-tools.js'
import './activities.js'

await serveTools({ Tool, port: Number(process.env.PORT ?? 0) })
