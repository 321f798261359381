import { createServer, type IncomingMessage } from 'node:http'
import { Tool } from '@delivery/contracts'
import './activities.js'

/** Answers a request that carries a Call with its Outcome. */
const server = createServer(async (request, response) => {
  try {
    const key = request.headers['idempotency-key']
    // What comes from outside may be anything: `parse` and `run` check it against the contract.
    const [call] = Tool.parse(await bodyOf(request))
    if (!call) throw new Error('The request carries no Call')
    const outcome = await Tool.run(call, typeof key === 'string' ? { id: key } : {})
    response.setHeader('content-type', 'application/json').end(JSON.stringify(outcome))
  } catch (error) {
    response.writeHead(400).end(String(error))
  }
})

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
