import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import type { ProjectFiles } from './project-files.ts'

const fileName = '.yarnrc.yml'
const setting = 'nodeLinker: node-modules'

/**
 * Lets Yarn write `node_modules`: under its Plug'n'Play, TypeScript 7 finds no packages. Settings that exist are left alone, and
 * a project that runs under Plug'n'Play already is told. Yarn 1 has neither, and ignores the file.
 */
export function withYarnLinker(project: ProjectFiles, folder: string): ProjectFiles {
  const root = rootOf(folder) ?? folder
  const settings = readIfPresent(join(root, fileName), realFileSystem)
  if (settings !== undefined ? /^nodeLinker:/m.test(settings) : isClassic(root)) return project
  if (settings === undefined && root === folder && !existsSync(join(root, '.pnp.cjs'))) {
    return { ...project, files: [...project.files, { path: fileName, text: `${setting}\n` }] }
  }
  const advice = `Under Yarn's Plug'n'Play, TypeScript 7 finds no packages: add "${setting}" to ${fileName} first.`
  return { ...project, next: [advice, ...project.next] }
}

/** The nearest folder with a lock file of Yarn. */
function rootOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'yarn.lock'))) return folder
  return dirname(folder) === folder || existsSync(join(folder, '.git')) ? undefined : rootOf(dirname(folder))
}

function isClassic(folder: string): boolean {
  return readIfPresent(join(folder, 'yarn.lock'), realFileSystem)?.includes('# yarn lockfile v1') ?? false
}
