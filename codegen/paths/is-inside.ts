import path, { type PlatformPath } from 'node:path'

/**
 * True when a path is a folder or lies in it.
 *
 * @param rules Windows' or POSIX'; those of this machine by default. On Windows a path on another drive is absolute from here.
 */
export function isInside(place: string, folder: string, rules: PlatformPath = path): boolean {
  const way = rules.relative(folder, place)
  return way === '' || (way !== '..' && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way))
}
