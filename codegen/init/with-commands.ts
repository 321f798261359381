import type { PackageManager } from './package-manager.ts'
import type { ProjectFiles } from './project-files.ts'

/** Converts a step for npm to one for another package manager. */
const commandOf: Readonly<Record<PackageManager, (step: string) => string>> = {
  npm: (step) => step,
  pnpm: (step) =>
    step
      .replace('npm ci', 'pnpm install --frozen-lockfile')
      .replace('npx ', 'pnpm exec ')
      .replace(/(?<!p)npm /, 'pnpm '),
  yarn: (step) =>
    step
      .replace('npm ci', 'yarn install --immutable')
      .replace('npx ', 'yarn ')
      .replace(/npm (?:run )?/, 'yarn ')
      .replace(/^node /, 'yarn node '),
  bun: (step) =>
    step.replace('npm ci', 'bun install --frozen-lockfile').replace('npx ', 'bunx ').replace('npm ', 'bun '),
}

/** Converts the steps of a project, which are those for npm, to the commands of its package manager. */
export function withCommands({ next, ci, ...project }: ProjectFiles, manager: PackageManager): ProjectFiles {
  const command = commandOf[manager]
  return { ...project, next: next.map(command), ci: ci.split('\n').map(command).join('\n') }
}
