import type { ProjectFiles } from './project-files.ts'

/** Adapts a project to Bun, which supports the same workspaces but has other commands. */
export function forBun({ next, ci, ...project }: ProjectFiles): ProjectFiles {
  return { ...project, next: next.map(withBun), ci: ci.split('\n').map(withBun).join('\n') }
}

function withBun(step: string): string {
  return step
    .replace('npm ci', 'bun install --frozen-lockfile')
    .replace('npx ', 'bunx ')
    .replace('npm ', 'bun ')
}
