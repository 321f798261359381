import { CallsheetError } from '../../errors.ts'

/** Reads a file of JSON. The file system is loaded with the first file, since a worker may have none. */
export async function loadJson(path: string | URL): Promise<unknown> {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CallsheetError('malformed_json', `${path} is not JSON: ${why}`, { cause })
  }
}

/** Writes a file of readable JSON, whole or not at all: a reader never sees half of it. */
export async function saveJson(path: string | URL, value: unknown): Promise<void> {
  const { mkdir, rename, writeFile } = await import('node:fs/promises')
  const { dirname } = await import('node:path')
  const { fileURLToPath } = await import('node:url')
  const file = typeof path === 'string' ? path : fileURLToPath(path)
  await mkdir(dirname(file), { recursive: true })
  const half = `${file}.${globalThis.crypto.randomUUID()}.tmp`
  await writeFile(half, `${JSON.stringify(value, null, 2)}\n`)
  await rename(half, file)
}
