import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import type { ProjectFiles } from './project-files.ts'

const fileName = 'pnpm-workspace.yaml'

/**
 * Adds pnpm's settings to a project, and converts its workspaces, if it has any, to those of pnpm: they are listed in the same file, and
 * packages are linked by `workspace:` versions only. A package in somebody's workspace is left to that: its own file would take it out.
 */
export function withPnpmWorkspace(project: ProjectFiles, folder: string): ProjectFiles {
  const { workspaces, ...root } = project.packages['package.json'] ?? {}
  if (workspaces === undefined) {
    if (isInWorkspace(dirname(folder))) return project
    return { ...project, files: [...project.files, { path: fileName, text: settings('.') }] }
  }
  const names = Object.values(project.packages).map(({ name }) => String(name))
  const packages = Object.entries({ ...project.packages, 'package.json': root })
  return {
    ...project,
    files: [...project.files, { path: fileName, text: settings('packages/*') }],
    packages: Object.fromEntries(packages.map(([path, each]) => [path, linked(each, names)])),
  }
}

/**
 * `allowBuilds`: pnpm 11 and later fail without a decision on install scripts. That of esbuild is only an optimisation. pnpm 9
 * fails without `packages`.
 */
const settings = (packages: string): string => `packages:\n  - ${packages}\nallowBuilds:\n  esbuild: false\n`

function isInWorkspace(folder: string): boolean {
  return existsSync(join(folder, fileName)) || (dirname(folder) !== folder && isInWorkspace(dirname(folder)))
}

function linked(member: JsonObject, names: readonly string[]): JsonObject {
  const { dependencies } = member
  if (!isJsonObject(dependencies)) return member
  const entries = Object.entries(dependencies).map(([name, version]) => [
    name,
    names.includes(name) ? 'workspace:*' : version,
  ])
  return { ...member, dependencies: Object.fromEntries(entries) }
}
