import { CallError, CallsheetError, isCallsheetError } from '../../errors.ts'
import { shorten } from '../../problems/shorten.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import { loadJson } from './json-file.ts'
import { nodeFiles } from './node-files.ts'
import { requireIdea } from './require-idea.ts'

/** Where to find delegates that are not registered (REQ-12). */
export interface IdeaSources {
  /** The folder whose JSON files a `_delegate` may name, by a path relative to it. */
  readonly folder?: string | undefined
  /** Loads the Idea at a URL. Without it a `_delegate` that is a URL is refused. */
  readonly load?: ((url: string) => Promise<unknown>) | undefined
}

/** At least two letters before the colon: `C:` is a drive, not a scheme. */
const urlPattern = /^[a-z][a-z0-9+.-]+:/i

/**
 * Finds the Idea that a `_delegate` names: a JSON file in the folder, or the result of `load` for a URL. A path cannot
 * leave the folder: `..`, absolute paths and symbolic links to the outside are refused.
 *
 * @returns undefined for a name that is neither a URL nor ends with `.json`.
 * @throws CallError `invalid_path` for a refused name; CallsheetError `malformed_json`, `invalid_options`,
 * `invalid_message` for a file that is not an Idea.
 */
export async function findIdea(name: string, { folder, load }: IdeaSources): Promise<IdeaData | undefined> {
  if (urlPattern.test(name)) {
    if (!load) throw refused(name, 'URLs need a loader: { ideas: { load } }')
    return asIdea(await load(name), name)
  }
  if (!name.endsWith('.json')) return undefined
  if (folder === undefined) throw refused(name, 'no folder of Ideas is configured: { ideas: { folder } }')
  return asIdea(await jsonIn(await pathInside(folder, name), name), name)
}

/** Reads a file. The error says neither where it is nor what it contains, since a model reads it. */
async function jsonIn(path: string, name: string): Promise<unknown> {
  try {
    return await loadJson(path)
  } catch (cause) {
    if (!isCallsheetError(cause)) throw refused(name, 'its file cannot be read', cause)
    throw new CallsheetError(cause.code, `The delegate ${quoted(name)} is not JSON in UTF-8.`, { cause })
  }
}

async function pathInside(folder: string, name: string): Promise<string> {
  const { fs, path } = nodeFiles(name)
  const { realpath } = fs
  const { isAbsolute, relative, resolve, sep } = path
  const leadsOut = (from: string, to: string): boolean => {
    const way = relative(from, to)
    return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  }
  // A backslash is a separator on Windows only; a name must mean the same file on every system.
  const isPlain = !isAbsolute(name) && !/[\\\0]/.test(name) && !leadsOut(folder, resolve(folder, name))
  if (!isPlain) throw refused(name, 'it leads out of the folder of Ideas')
  let real: string
  let root: string
  try {
    real = await realpath(resolve(folder, name))
    root = await realpath(folder)
  } catch (cause) {
    throw refused(name, 'there is no such file in the folder of Ideas', cause)
  }
  if (leadsOut(root, real)) throw refused(name, 'it leads out of the folder of Ideas')
  return real
}

function asIdea(value: unknown, name: string): IdeaData {
  requireIdea(value, `The Idea ${JSON.stringify(name)}`)
  return value
}

function quoted(name: string): string {
  return JSON.stringify(shorten(name, 80))
}

function refused(name: string, why: string, cause?: unknown): CallError {
  return new CallError('invalid_path', `The delegate ${quoted(name)} cannot be used: ${why}.`, {
    ...(cause !== undefined && { cause }),
  })
}
