import { join } from 'node:path'
import { isJsonObject } from '../../runtime/json/json.ts'
import { type FileSystem, readIfPresent } from './file-system.ts'
import { manifestName } from './marker.ts'
import { journalPath } from './run-folder.ts'

/** Which files of an output folder earlier runs say that they wrote. The list may be short: a manifest can be missing, damaged or of another branch. */
export interface Claims {
  /** Relative to the folder. */
  readonly listed: ReadonlySet<string>
}

/** Reads the claims: the manifest's list, and the journal that a killed run has left. */
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
 * What can be saved of a manifest that no longer parses: its quoted strings. One that names no file does no harm; one
 * that names a file keeps a merge conflict from turning generated files into a stranger's.
 */
function quotedPaths(text: string): string[] {
  return [...text.matchAll(/"([^"\\\n]+)"/g)].flatMap((match) => match[1] ?? [])
}

/** A manifest is text that anybody can edit: a path in it never leads out of the folder. */
function staysInside(path: string): boolean {
  const segments = path.split('/')
  return (
    !path.includes('\\') &&
    !segments.some((part) => part === '' || part === '.' || part === '..' || part.includes(':'))
  )
}
