import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { Activity } from '../../../generated/index.js'

Activity.register('fileStats', async (call) => {
  const text = await readFile(call.file, 'utf8')
  return {
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    words: text.split(/\s+/).filter(Boolean).length,
    bytes: Buffer.byteLength(text),
  }
})

Activity.register('searchText', async ({ query, where, options }, _tool, _context, run) => {
  const { caseSensitive = false, limit = 20 } = options ?? {}
  const fold = (text: string): string => (caseSensitive ? text : text.toLowerCase())
  const found: { place: { file: string; line: number }; text: string }[] = []
  for (const path of await textFiles(where.folder, where.extensions)) {
    run.signal.throwIfAborted()
    const lines = (await readFile(path, 'utf8')).split('\n')
    for (const [index, text] of lines.entries()) {
      if (!fold(text).includes(fold(query))) continue
      found.push({ place: { file: relative(where.folder, path), line: index + 1 }, text })
      if (found.length === limit) return found
    }
  }
  return found
})

Activity.register('readLine', async ({ folder, place }) => {
  const line = (await readFile(join(folder, place.file), 'utf8')).split('\n')[place.line - 1]
  if (line === undefined) throw new Error(`${place.file} has no line ${place.line}`)
  return line
})

async function textFiles(folder: string, extensions?: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && (extensions?.includes(extname(entry.name)) ?? true))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
