import { CallError } from '../../errors.ts'
import { shorten } from '../../problems/shorten.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import { loadJson } from './json-file.ts'
import { nodeFiles } from './node-files.ts'
import { requireIdea } from './require-idea.ts'

/** Where delegates come from that the registry does not know (REQ-12). */
export interface IdeaSources {
  /** The folder whose JSON files a `_delegate` may name, by a path relative to it. */
  readonly folder?: string | undefined
  /** Loads what a URL names. Without it a `_delegate` that is a URL is refused. */
  readonly load?: ((url: string) => Promise<unknown>) | undefined
}

/** Two letters at least: `C:` is a drive and no scheme. */
const urlPattern = /^[a-z][a-z0-9+.-]+:/i

/**
 * Finds the Idea that a `_delegate` names: a JSON file of the folder, or what the loader gives for a URL. No path leads
 * out of the folder: neither `..`, nor an absolute path, nor a symbolic link.
 *
 * @returns undefined for a name that is neither.
 * @throws CallError `invalid_path` for what is refused; CallsheetError `malformed_json`, `invalid_options`,
 * `invalid_message` for a file that is not an Idea.
 */
export async function findIdea(name: string, { folder, load }: IdeaSources): Promise<IdeaData | undefined> {
  if (urlPattern.test(name)) {
    if (!load) throw refused(name, 'URLs are not loaded unless { ideas: { load } } says how')
    return asIdea(await load(name), name)
  }
  if (!name.endsWith('.json')) return undefined
  if (folder === undefined) throw refused(name, 'no folder of Ideas is configured: { ideas: { folder } }')
  return asIdea(await loadJson(await pathInside(folder, name)), name)
}

async function pathInside(folder: string, name: string): Promise<string> {
  const { fs, path } = nodeFiles(name)
  const { realpath } = fs
  const { isAbsolute, relative, resolve, sep } = path
  const leadsOut = (from: string, to: string): boolean => {
    const way = relative(from, to)
    return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  }
  // A backslash is a separator on some systems only; an Idea means the same file on all of them.
  const isPlain = !isAbsolute(name) && !/[\\\0]/.test(name) && !leadsOut(folder, resolve(folder, name))
  if (!isPlain) throw refused(name, 'it leads out of the folder of Ideas')
  let real: string
  try {
    real = await realpath(resolve(folder, name))
  } catch (cause) {
    throw refused(name, 'there is no such file in the folder of Ideas', cause)
  }
  if (leadsOut(await realpath(folder), real)) throw refused(name, 'it leads out of the folder of Ideas')
  return real
}

function asIdea(value: unknown, name: string): IdeaData {
  requireIdea(value, `The Idea ${JSON.stringify(name)}`)
  return value
}

function refused(name: string, why: string, cause?: unknown): CallError {
  return new CallError(
    'invalid_path',
    `The delegate ${JSON.stringify(shorten(name, 80))} cannot be used: ${why}.`,
    {
      ...(cause !== undefined && { cause }),
    },
  )
}
