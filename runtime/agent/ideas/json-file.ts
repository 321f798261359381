import { CallsheetError } from '../../errors.ts'
import { nodeFiles } from './node-files.ts'

/** Reads a file of JSON. */
export async function loadJson(path: string | URL): Promise<unknown> {
  const text = await nodeFiles(path).fs.readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CallsheetError('malformed_json', `${path} is not JSON: ${why}`, { cause })
  }
}

/** Writes a file of readable JSON, whole or not at all: a reader never sees half of it. */
export async function saveJson(path: string | URL, value: unknown): Promise<void> {
  const { fs, path: paths, url } = nodeFiles(path)
  const file = typeof path === 'string' ? path : url.fileURLToPath(path)
  await fs.mkdir(paths.dirname(file), { recursive: true })
  const half = `${file}.${globalThis.crypto.randomUUID()}.tmp`
  await fs.writeFile(half, `${JSON.stringify(value, null, 2)}\n`)
  await fs.rename(half, file)
}
