import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import type { ProjectFiles } from './project-files.ts'

/**
 * Converts the workspaces of a project, if it has any, to those of pnpm: they are listed in a separate file, and packages are linked
 * by `workspace:` versions only.
 */
export function withPnpmWorkspace(project: ProjectFiles): ProjectFiles {
  const { workspaces, ...root } = project.packages['package.json'] ?? {}
  if (workspaces === undefined) return project
  const names = Object.values(project.packages).map(({ name }) => String(name))
  const packages = Object.entries({ ...project.packages, 'package.json': root })
  return {
    ...project,
    files: [...project.files, { path: 'pnpm-workspace.yaml', text: workspaceFile }],
    packages: Object.fromEntries(packages.map(([path, each]) => [path, linked(each, names)])),
  }
}

/** `allowBuilds`: pnpm 11 and later fail without a decision on install scripts. That of esbuild is only an optimisation. */
const workspaceFile = 'packages:\n  - packages/*\nallowBuilds:\n  esbuild: false\n'

function linked(member: JsonObject, names: readonly string[]): JsonObject {
  const { dependencies } = member
  if (!isJsonObject(dependencies)) return member
  const entries = Object.entries(dependencies).map(([name, version]) => [
    name,
    names.includes(name) ? 'workspace:*' : version,
  ])
  return { ...member, dependencies: Object.fromEntries(entries) }
}
