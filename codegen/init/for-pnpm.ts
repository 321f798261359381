import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, own } from '../../runtime/json/json.ts'
import type { ProjectFiles } from './project-files.ts'

/** True where pnpm installs the packages: it says so in package.json, or has left a file of its own. */
export function usesPnpm(folder: string, packageJson: unknown): boolean {
  const named = isJsonObject(packageJson) ? own(packageJson, 'packageManager') : undefined
  if (typeof named === 'string') return named.startsWith('pnpm@')
  return ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].some((file) => existsSync(join(folder, file)))
}

/** Has pnpm do what npm would: it finds workspaces in a file of its own, and links their packages only where a dependency says so. */
export function forPnpm(project: ProjectFiles): ProjectFiles {
  const { workspaces, ...root } = project.packages['package.json'] ?? {}
  if (workspaces === undefined) return { ...project, ...stepsForPnpm(project) }
  const names = Object.values(project.packages).map(({ name }) => String(name))
  const packages = Object.entries({ ...project.packages, 'package.json': root })
  return {
    ...stepsForPnpm(project),
    files: [...project.files, { path: 'pnpm-workspace.yaml', text: workspaceFile }],
    packages: Object.fromEntries(packages.map(([path, each]) => [path, linked(each, names)])),
  }
}

/** esbuild's script only saves a start of Node: pnpm 11 and later end with an error where nobody has decided about it. */
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

function stepsForPnpm({ next, ci }: ProjectFiles): Pick<ProjectFiles, 'next' | 'ci'> {
  return { next: next.map(withPnpm), ci: ci.split('\n').map(withPnpm).join('\n') }
}

function withPnpm(step: string): string {
  return step
    .replace('npm ci', 'pnpm install --frozen-lockfile')
    .replace('npx ', 'pnpm exec ')
    .replace(/(?<!p)npm /, 'pnpm ')
}
