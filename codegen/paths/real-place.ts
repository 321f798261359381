import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { systemCode } from '../write/file-system.ts'

/** Where a path leads through links on the way, also when its last parts are not there yet. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    const parent = dirname(path)
    if (systemCode(error) === undefined) throw error
    return parent === path ? path : join(realPlace(parent), basename(path))
  }
}
