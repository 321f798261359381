import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject, own } from '../../runtime/json/json.ts'

/** A package manager for which `init` can set a project up. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const managers: readonly PackageManager[] = ['pnpm', 'yarn', 'bun', 'npm']

/** The files by which a project is one of a package manager. */
const filesOf: Readonly<Record<PackageManager, readonly string[]>> = {
  pnpm: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  npm: ['package-lock.json'],
}

/**
 * Finds the package manager of a project: by `packageManager` in its package.json, else by a lock file in its folder, else by
 * the manager that started this process (`pnpm dlx callsheet init`), else by the lock file of the workspace around it. That
 * npm started it says little: `npx` is used with every manager.
 *
 * @param startedBy How that manager describes itself to what it starts, from the variable `npm_config_user_agent`:
 * `pnpm/11.0.0 npm/? node/v24.0.0 linux x64`.
 */
export function packageManagerOf(folder: string, packageJson: unknown, startedBy = ''): PackageManager {
  const named = isJsonObject(packageJson) ? own(packageJson, 'packageManager') : undefined
  if (typeof named === 'string') return managers.find((each) => named.startsWith(`${each}@`)) ?? 'npm'
  const starter = managers.find((each) => each !== 'npm' && startedBy.startsWith(`${each}/`))
  return lockedBy(folder) ?? starter ?? lockedAbove(folder) ?? 'npm'
}

function lockedBy(folder: string): PackageManager | undefined {
  return managers.find((each) => filesOf[each].some((file) => existsSync(join(folder, file))))
}

/** Finds the lock file of the package around a folder, at most up to the root of its repository. */
function lockedAbove(folder: string): PackageManager | undefined {
  const above = dirname(folder)
  if (above === folder || existsSync(join(folder, '.git'))) return undefined
  // A lock file without a package is a stray one.
  const found = existsSync(join(above, 'package.json')) ? lockedBy(above) : undefined
  return found ?? lockedAbove(above)
}
