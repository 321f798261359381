import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, own } from '../../runtime/json/json.ts'
import type { ProjectFiles } from './project-files.ts'

/** Whether the project uses Yarn: by `packageManager` in package.json, or by a lock file of Yarn. */
export function usesYarn(folder: string, packageJson: unknown): boolean {
  const named = isJsonObject(packageJson) ? own(packageJson, 'packageManager') : undefined
  if (typeof named === 'string') return named.startsWith('yarn@')
  return existsSync(join(folder, 'yarn.lock'))
}

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
