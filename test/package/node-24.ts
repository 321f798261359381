import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { type Ran, run } from './packed.ts'

let folder: string | undefined

/** The path of Node 24, which npm downloads once. */
export function node24(): string {
  const args = ['--yes', '-p', 'node@24', 'node', '-p', 'process.execPath']
  folder ??= dirname(
    execFileSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
  )
  return folder
}

/** Runs a command like `run`, with `node` as the version that runs the tests, or as Node 24. */
export function runOn(version: 'own' | 24, cwd: string, command: string, ...args: readonly string[]): Ran {
  if (version === 'own') return run(cwd, command, ...args)
  return run(cwd, 'env', `PATH=${node24()}:${process.env.PATH ?? ''}`, command, ...args)
}
