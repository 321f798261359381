import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject, own } from '../../runtime/json/json.ts'

/** A package manager for which `init` can set a project up. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn'

const managers: readonly PackageManager[] = ['pnpm', 'yarn', 'npm']

/** The files by which a project is one of a package manager. */
const filesOf: Readonly<Record<PackageManager, readonly string[]>> = {
  pnpm: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  yarn: ['yarn.lock'],
  npm: ['package-lock.json'],
}

/**
 * Finds the package manager of a project: by `packageManager` in its package.json, else by a lock file in its folder or
 * that of the workspace around it, else by the manager that started this process (`pnpm dlx callsheet init`).
 *
 * @param startedBy How that manager describes itself to what it starts, from the variable `npm_config_user_agent`:
 * `pnpm/11.0.0 npm/? node/v24.0.0 linux x64`.
 */
export function packageManagerOf(
  folder: string,
  packageJson: unknown,
  startedBy: string | undefined,
): PackageManager {
  const named = isJsonObject(packageJson) ? own(packageJson, 'packageManager') : undefined
  if (typeof named === 'string') return managers.find((each) => named.startsWith(`${each}@`)) ?? 'npm'
  return managerByFiles(folder) ?? managers.find((each) => startedBy?.startsWith(`${each}/`)) ?? 'npm'
}

function managerByFiles(folder: string): PackageManager | undefined {
  let place = folder
  for (;;) {
    const found = managers.find((each) => filesOf[each].some((file) => existsSync(join(place, file))))
    // A lock file somewhere above without a package is a stray one.
    if (found && (place === folder || existsSync(join(place, 'package.json')))) return found
    const above = dirname(place)
    if (above === place || existsSync(join(place, '.git'))) return undefined
    place = above
  }
}
