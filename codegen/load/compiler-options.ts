import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { parseJsonc } from '../json/parse-jsonc.ts'
import { readIfPresent, realFileSystem, systemCode } from '../write/file-system.ts'

/**
 * Returns the compiler options of a `tsconfig.json`, merged over those of the files that it extends. A missing file has none.
 *
 * @param read Receives every file that was read or looked for: they are inputs of the run.
 */
export function compilerOptions(file: string, read: string[]): JsonObject {
  if (read.includes(file)) return {}
  read.push(file)
  const text = readIfPresent(file, realFileSystem)
  if (text === undefined) return {}
  const data = parseTolerant(text)
  const bases = [data.extends].flat().filter((base) => typeof base === 'string')
  const inherited = bases.map((base) => {
    const path = locateBase(base, file)
    return path === undefined ? {} : compilerOptions(path, read)
  })
  const own = isJsonObject(data.compilerOptions) ? data.compilerOptions : {}
  // A path is relative to the file that contains it, not to a file that extends that one.
  const absolute = ['outDir', 'baseUrl'].flatMap((name) => {
    const path = own[name]
    return typeof path === 'string' && !configFolder.test(path) ? [[name, resolve(dirname(file), path)]] : []
  })
  // As in the compiler itself: without `baseUrl`, the targets of `paths` are relative to this folder.
  const base = own.paths === undefined ? {} : { pathsBasePath: dirname(file) }
  return Object.assign({}, ...inherited, own, Object.fromEntries(absolute), base)
}

/** Returns the output folder of a project's `tsconfig.json`; undefined if it has none. */
export function compiledFolder(root: string): string | undefined {
  const { outDir } = compilerOptions(join(root, 'tsconfig.json'), [])
  return typeof outDir === 'string' ? resolve(root, withConfigFolder(outDir, root)) : undefined
}

/** Replaces the placeholder for the folder of the `tsconfig.json` that the compilation starts with. */
export function withConfigFolder(path: string, root: string): string {
  return path.replace(configFolder, () => root)
}

/** Placeholder in paths for the folder of the `tsconfig.json` that the compilation starts with. */
const configFolder = /^\$\{configDir\}/

/** A broken `tsconfig.json` is ignored here; the compiler reports it. */
function parseTolerant(text: string): JsonObject {
  try {
    const data = parseJsonc(text)
    return isJsonObject(data) ? data : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function locateBase(base: string, from: string): string | undefined {
  if (/^\.{0,2}\//.test(base) || base === '.' || base === '..') {
    const path = resolve(dirname(from), base)
    return path.endsWith('.json') ? path : `${path}.json`
  }
  const resolver = createRequire(from)
  for (const candidate of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    try {
      return resolver.resolve(candidate)
    } catch (error) {
      // Not installed, or not exported under this name: try the next spelling, and finally the defaults.
      if (systemCode(error)?.startsWith('ERR_') === false && systemCode(error) !== 'MODULE_NOT_FOUND')
        throw error
    }
  }
  return undefined
}
