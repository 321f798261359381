import { CallsheetError } from '../../errors.ts'
import { withoutMark } from '../../json/without-mark.ts'
import { isFileInUse } from '../../problems/is-file-in-use.ts'
import { nodeFiles } from './node-files.ts'

/** Reads a file of JSON. */
export async function loadJson(path: string | URL): Promise<unknown> {
  const text = await nodeFiles(path).fs.readFile(path, 'utf8')
  try {
    return JSON.parse(withoutMark(text))
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
  try {
    await onceFree(() => fs.rename(half, file))
  } catch (error) {
    // What is said is why nothing was saved; half a file tells nobody anything.
    await fs.unlink(half).catch(() => {})
    throw error
  }
}

/** Tries again, for a second in all, what a virus scanner or a search index stands in the way of. */
async function onceFree(act: () => Promise<void>): Promise<void> {
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
