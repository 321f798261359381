import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, own } from '../../runtime/json/json.ts'
import type { ProjectFiles } from './project-files.ts'

/** True where Yarn installs the packages: package.json says so, or a lock file of Yarn's is there. */
export function usesYarn(folder: string, packageJson: unknown): boolean {
  const named = isJsonObject(packageJson) ? own(packageJson, 'packageManager') : undefined
  if (typeof named === 'string') return named.startsWith('yarn@')
  return existsSync(join(folder, 'yarn.lock'))
}

/** Has Yarn do what npm would: it takes the same workspaces, and other words. */
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
