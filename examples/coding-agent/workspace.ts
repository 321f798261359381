import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'

const text = { type: 'string' } as const
const path = { ...text, description: 'Below the folder' }

/** An ordinary MCP server for one folder, without Callsheet. */
export function workspaceServer(folder: string): McpServer {
  const server = new McpServer({ name: 'workspace', version: '1.0.0' })
  const said = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })
  const inside = (name: string): string => {
    const file = resolve(folder, name)
    const way = relative(folder, file)
    // On Windows, the relative path to another drive is absolute.
    if (way.startsWith('..') || isAbsolute(way)) throw new Error(`${name} is outside the folder`)
    return file
  }
  const add = (
    name: string,
    description: string,
    properties: Record<string, object>,
    run: (given: { path: string; text: string }) => Promise<string>,
    readOnlyHint = true,
  ) => {
    const required = Object.keys(properties)
    const schema = { type: 'object', properties, required, additionalProperties: false } as const
    const inputSchema = fromJsonSchema<{ path: string; text: string }>(schema)
    server.registerTool(name, { description, inputSchema, annotations: { readOnlyHint } }, async (given) =>
      said(await run(given)),
    )
  }
  add('listFiles', 'Lists the files.', {}, async () => (await readdir(folder)).sort().join('\n'))
  add('readFile', 'Reads a file.', { path }, async ({ path }) => {
    const file = inside(path)
    if (!existsSync(file)) throw new Error(`there is no ${path}`)
    return readFile(file, 'utf8')
  })
  add(
    'writeFile',
    'Replaces what a file holds.',
    { path, text },
    async ({ path, text }) => {
      await writeFile(inside(path), text)
      return `wrote ${text.length} characters`
    },
    false,
  )
  add('runTests', 'Runs the tests.', {}, async () => {
    const { status } = spawnSync(process.execPath, [join(folder, 'sum.test.mjs')], { encoding: 'utf8' })
    return status === 0 ? 'passed' : 'failed'
  })
  return server
}
