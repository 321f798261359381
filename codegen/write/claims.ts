import { join } from 'node:path'
import { isJsonObject } from '../../runtime/json/json.ts'
import { type FileSystem, readIfPresent } from './file-system.ts'
import { manifestName } from './marker.ts'
import { journalPath } from './run-folder.ts'

/**
 * The files of an output folder that earlier runs recorded as theirs. May be incomplete: a manifest can be missing,
 * damaged or from another branch.
 */
export interface Claims {
  /** Relative to the folder. */
  readonly listed: ReadonlySet<string>
}

/** Reads the manifest's list, and the journal of a killed run. */
export function readClaims(folder: string, fileSystem: FileSystem): Claims {
  const manifest = readIfPresent(join(folder, manifestName), fileSystem)
  const journal = readIfPresent(journalPath(folder), fileSystem)
  const listed = manifest === undefined ? [] : (filesListed(manifest) ?? quotedPaths(manifest))
  const pending = journal === undefined ? [] : (filesListed(journal) ?? [])
  return { listed: new Set([...listed, ...pending].filter(staysInside)) }
}

function filesListed(text: string): string[] | undefined {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (!isJsonObject(data) || !Array.isArray(data.files)) return undefined
  return data.files.filter((file) => typeof file === 'string')
}

/**
 * Recovers the paths of a manifest that no longer parses: all its quoted strings. Strings that are no paths do no harm; the
 * paths keep generated files recognisable during a merge conflict.
 */
function quotedPaths(text: string): string[] {
  return [...text.matchAll(/"([^"\\\n]+)"/g)].flatMap((match) => match[1] ?? [])
}

/** Whether a path stays inside the folder. A manifest can be edited, so its paths are untrusted. */
function staysInside(path: string): boolean {
  const segments = path.split('/')
  return (
    !path.includes('\\') &&
    !segments.some((part) => part === '' || part === '.' || part === '..' || part.includes(':'))
  )
}
