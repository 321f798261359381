import path, { type PlatformPath, resolve } from 'node:path'

/**
 * Returns the relative path from a folder to a file with forward slashes on every system, as in generated code, messages and
 * configuration, so that a project generates the same bytes everywhere.
 *
 * @param rules Path rules of Windows or POSIX. Default: those of this machine.
 */
export function portablePath(folder: string, file: string, rules: PlatformPath = path): string {
  return withForwardSlashes(rules.relative(folder, file), rules)
}

/** Replaces the system's separator by a slash. A backslash is a separator on Windows only; elsewhere it is part of a name. */
export function withForwardSlashes(way: string, rules: PlatformPath = path): string {
  return way.split(rules.sep).join('/')
}

/**
 * Returns the relative path from a folder of a project to a file, both relative to its root, for imports in generated code.
 * Either may be outside of the project. The result depends on the root, never on the process's working directory.
 */
export function wayWithin(root: string, folder: string, file: string): string {
  return portablePath(resolve(root, folder), resolve(root, file))
}
