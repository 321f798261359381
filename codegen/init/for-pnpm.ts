import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import type { ProjectFiles } from './project-files.ts'

/** Adapts a project to pnpm, which reads workspaces from a separate file and links packages only by `workspace:` versions. */
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

function stepsForPnpm({ next, ci }: ProjectFiles): Pick<ProjectFiles, 'next' | 'ci'> {
  return { next: next.map(withPnpm), ci: ci.split('\n').map(withPnpm).join('\n') }
}

function withPnpm(step: string): string {
  return step
    .replace('npm ci', 'pnpm install --frozen-lockfile')
    .replace('npx ', 'pnpm exec ')
    .replace(/(?<!p)npm /, 'pnpm ')
}
