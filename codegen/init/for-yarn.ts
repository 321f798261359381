import type { ProjectFiles } from './project-files.ts'

/** Adapts a project to Yarn, which supports the same workspaces but has other commands. */
export function forYarn({ next, ci, ...project }: ProjectFiles): ProjectFiles {
  return { ...project, next: next.map(withYarn), ci: ci.split('\n').map(withYarn).join('\n') }
}

function withYarn(step: string): string {
  return step
    .replace('npm ci', 'yarn install --immutable')
    .replace('npx ', 'yarn ')
    .replace(/npm (?:run )?/, 'yarn ')
    .replace(/^node /, 'yarn node ')
}
