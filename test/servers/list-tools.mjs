// Writes what each server answers to `tools/list` to a file of its own: node list-tools.mjs <folder> <files>
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, serversInUse } from './connect.mjs'

const [folder = '', files = ''] = process.argv.slice(2)
for (const server of serversInUse(files)) {
  const client = await connect(server)
  const tools = []
  let cursor
  do {
    const page = await client.listTools({ cursor })
    tools.push(...page.tools)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  writeFileSync(join(folder, `${server.prefix}.json`), JSON.stringify({ tools }, null, 1))
  await client.close()
}
process.exit(0)
