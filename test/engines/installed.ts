import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Resolves what `npm run engines` installs beside this file, and nothing of the checkout's own packages. */
export const enginesRequire: NodeJS.Require = createRequire(
  fileURLToPath(new URL('package.json', import.meta.url)),
)

/** True where a package of this folder is installed. Elsewhere its suite is skipped, and the runner says so. */
export function isInstalled(name: string): boolean {
  return existsSync(new URL(`node_modules/${name}/package.json`, import.meta.url))
}
