import { CallsheetError } from '../../errors.ts'
import { isFileInUse } from '../../problems/is-file-in-use.ts'
import { nodeFiles } from './node-files.ts'

/** @throws CallsheetError `malformed_json`; the system's error if the file cannot be read. */
export async function loadJson(path: string | URL): Promise<unknown> {
  const bytes = await nodeFiles(path).fs.readFile(path)
  try {
    // Fatal, since other encodings would lose characters unnoticed. It drops a byte order mark, too.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CallsheetError('malformed_json', `${path} is not JSON: ${why}`, { cause })
  }
}

/** Writes a file of readable JSON atomically: through a temporary file, so that a reader never sees half of it. */
export async function saveJson(path: string | URL, value: unknown): Promise<void> {
  const { fs, path: paths, url } = nodeFiles(path)
  const file = typeof path === 'string' ? path : url.fileURLToPath(path)
  await fs.mkdir(paths.dirname(file), { recursive: true })
  const temporary = `${file}.${globalThis.crypto.randomUUID()}.tmp`
  await fs.writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`)
  try {
    await retryWhileInUse(() => fs.rename(temporary, file))
  } catch (error) {
    // Best effort: the error to report is why the file was not saved.
    await fs.unlink(temporary).catch(() => {})
    throw error
  }
}

/** Retries for one second in all while a virus scanner or a search index has the file open. */
async function retryWhileInUse(act: () => Promise<void>): Promise<void> {
  for (const milliseconds of [10, 20, 40, 80, 160, 320, 370]) {
    try {
      return await act()
    } catch (error) {
      if (!isFileInUse(error)) throw error
    }
    await new Promise((passed) => setTimeout(passed, milliseconds))
  }
  return act()
}
