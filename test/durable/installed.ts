import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** True where a package of this folder is installed. Elsewhere its suite is skipped, and the runner says so. */
export function isInstalled(name: string): boolean {
  return existsSync(new URL(`node_modules/${name}/package.json`, import.meta.url))
}

let found: string | undefined

/** A Node that Restate's SDK runs on: the one that runs the tests, or 24, which npm fetches once. */
export function nodeForWorkers(): string {
  if ('withResolvers' in Promise) return process.execPath
  const args = ['--yes', '-p', 'node@24', 'node', '-p', 'process.execPath']
  found ??= execFileSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  return found
}
