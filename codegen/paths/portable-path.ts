import path, { type PlatformPath, resolve } from 'node:path'

/**
 * The way from a folder to a file, with forward slashes on every system: as generated code, messages and configuration have
 * it, so that a project gives the same bytes everywhere.
 *
 * @param rules Windows' or POSIX'; those of this machine by default.
 */
export function portablePath(folder: string, file: string, rules: PlatformPath = path): string {
  return withForwardSlashes(rules.relative(folder, file), rules)
}

/** A backslash is a separator on Windows, and a letter of a name elsewhere. */
export function withForwardSlashes(way: string, rules: PlatformPath = path): string {
  return way.split(rules.sep).join('/')
}

/**
 * The way from one folder of a project to a file, both relative to its root: as generated code imports what stands elsewhere. Either
 * may lie outside of the project, so that the root decides and never the folder in which the process runs.
 */
export function wayWithin(root: string, folder: string, file: string): string {
  return portablePath(resolve(root, folder), resolve(root, file))
}
