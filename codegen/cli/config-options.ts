import { resolve } from 'node:path'
import type { ConfigOptions } from '../config/load-config.ts'
import type { Given } from './command.ts'
import type { Terminal } from './terminal.ts'

/** Reads the common options `--cwd` and `--config`. */
export function configOptions(given: Given, terminal: Terminal): ConfigOptions {
  const config = given.values.get('config')
  return {
    cwd: resolve(terminal.cwd, given.values.get('cwd') ?? '.'),
    ...(config !== undefined && { config }),
  }
}
