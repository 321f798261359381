import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const here = import.meta.dirname

/**
 * The servers, with credentials that are none: they list their tools without asking anybody.
 *
 * @param {string} files A folder that the servers of files and of memory may use.
 */
export function serversInUse(files) {
  return JSON.parse(readFileSync(join(here, 'in-use.json'), 'utf8').replaceAll('FILES', files))
}

/** Starts a server, and connects to it over stdio. */
export async function connect({ package: name, args = [], env = {} }) {
  const folder = join(here, 'node_modules', name)
  const { bin, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const program = typeof bin === 'string' ? bin : (Object.values(bin ?? {})[0] ?? main)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(folder, program), ...args],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', CI: '1', ...env },
    stderr: 'ignore',
  })
  const client = new Client({ name: 'callsheet-test', version: '1.0.0' })
  await client.connect(transport)
  return client
}
