import { resolve } from 'node:path'
import type { ConfigOptions } from '../config/load-config.ts'
import type { Given } from './command.ts'
import type { Terminal } from './terminal.ts'

/** Where a command works and by which configuration, from the options that all commands take. */
export function configOptions(given: Given, terminal: Terminal): ConfigOptions {
  const config = given.values.get('config')
  return {
    cwd: resolve(terminal.cwd, given.values.get('cwd') ?? '.'),
    ...(config !== undefined && { config }),
  }
}
