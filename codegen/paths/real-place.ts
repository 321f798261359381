import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { systemCode } from '../write/file-system.ts'

/** Resolves the symbolic links in a path, even if its last parts do not exist yet. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    const parent = dirname(path)
    if (systemCode(error) === undefined) throw error
    return parent === path ? path : join(realPlace(parent), basename(path))
  }
}
