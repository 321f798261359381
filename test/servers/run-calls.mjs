// Runs Calls of a project's Tools at the servers that these were imported from: node run-calls.mjs <folder> <files> <calls as JSON>.
// Prints their Outcomes as JSON, and those of the plan of the last two.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connect, serversInUse } from './connect.mjs'

const [folder = '', files = '', calls = '[]'] = process.argv.slice(2)
const built = (name) => import(pathToFileURL(join(folder, 'out', name)).href)
const [{ Tool }, { callServer }] = [await built('generated/index.js'), await built('call-server.js')]
const wanted = JSON.parse(calls)
const prefixes = new Set(wanted.map(({ _tool }) => _tool.split('.')[0]))
for (const server of serversInUse(files).filter(({ prefix }) => prefixes.has(prefix))) {
  callServer(await connect(server), server.prefix)
}
const outcomes = []
for (const call of wanted.slice(0, -2)) outcomes.push(await Tool.run(call))
outcomes.push(...(await Tool.plan(wanted.slice(-2))).outcomes)
console.log(JSON.stringify(outcomes))
process.exit(0)
