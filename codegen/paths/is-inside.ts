import path, { type PlatformPath } from 'node:path'

/**
 * Whether a path is a folder or is inside it.
 *
 * @param rules Path rules of Windows or POSIX. Default: those of this machine. On Windows, the relative path to another
 * drive is absolute.
 */
export function isInside(place: string, folder: string, rules: PlatformPath = path): boolean {
  const way = rules.relative(folder, place)
  return way === '' || (way !== '..' && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way))
}
