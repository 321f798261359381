import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject } from '../../runtime/json/json.ts'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { statIfPresent } from '../write/file-system.ts'

/** Returns the name of the package that a folder belongs to, which its files may import. */
export function ownPackageName(folder: string): string | undefined {
  const manifest = join(folder, 'package.json')
  if (statIfPresent(manifest)?.isFile()) return nameIn(readFileSync(manifest, 'utf8'))
  const parent = dirname(folder)
  return parent === folder ? undefined : ownPackageName(parent)
}

function nameIn(text: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(withoutMark(text))
    return isJsonObject(manifest) && typeof manifest.name === 'string' ? manifest.name : undefined
  } catch (error) {
    // npm reports a package.json that is not JSON; definitions can be read without it.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
