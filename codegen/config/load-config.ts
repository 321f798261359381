import { resolve } from 'node:path'
import { isJsonObject } from '../../runtime/json/json.ts'
import { type Fault, GeneratorError } from '../generator-error.ts'
import { parseJsonc } from '../json/parse-jsonc.ts'
import { portablePath } from '../paths/portable-path.ts'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import type { Config } from './config.ts'
import { configFaults } from './config-rules.ts'
import { findConfig } from './find-config.ts'
import { findImportExtension } from './import-extension.ts'
import type { Settings } from './settings.ts'
import { settingsOf } from './settings-of.ts'

/** The configuration, or where to find it. */
export interface ConfigOptions {
  /** The folder to work in. Default: the process's. */
  readonly cwd?: string | undefined
  /** The configuration, or the path of its file relative to `cwd`. Default: `callsheet.config.*`, else the defaults. */
  readonly config?: string | Config | undefined
}

/** The settings of every set, and their inputs. */
export interface LoadedConfig {
  readonly root: string
  readonly sets: readonly Settings[]
  /** Absolute paths of the files that the settings depend on, existing or not. */
  readonly inputs: readonly string[]
  /** Bare specifiers that the configuration imports. */
  readonly packages: readonly string[]
}

/** The content of a configuration file, and its inputs. */
interface ReadConfig {
  readonly config: unknown
  readonly inputs: readonly string[]
  readonly packages: readonly string[]
}

/**
 * Reads the configuration and fills in every default.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config` with every wrong option at once.
 */
export async function loadConfig(options: ConfigOptions = {}): Promise<LoadedConfig> {
  const folder = resolve(options.cwd ?? '.')
  const named = typeof options.config === 'string' ? options.config : undefined
  const found = findConfig(folder, named, realFileSystem)
  const given = typeof options.config === 'object' ? options.config : undefined
  const { root, file } = given === undefined ? found : { root: folder, file: undefined }

  const { config, inputs, packages } =
    file === undefined ? { config: given ?? {}, inputs: [], packages: [] } : await readConfig(root, file)
  const extension = findImportExtension(root)
  return {
    root,
    sets: settingsOf(checked(config, root, file), { root, importExtension: extension.importExtension }),
    inputs: [...new Set([...found.lookedFor, ...inputs, ...extension.read])],
    packages,
  }
}

/** Validates a configuration. @throws GeneratorError `invalid_config` with all its faults. */
function checked(config: unknown, root: string, file: string | undefined): Config {
  const faults = configFaults(config, root)
  if (faults.length === 0) return config as Config // configFaults has checked every option
  const where = file === undefined ? '' : `${portablePath(root, file)}: `
  throw new GeneratorError(
    'invalid_config',
    faults.map(({ message, fix }) => ({ message: `${where}${message}`, fix })),
  )
}

async function readConfig(root: string, file: string): Promise<ReadConfig> {
  if (file.endsWith('.json')) return { config: readJsonConfig(root, file), inputs: [file], packages: [] }
  const { importModule } = await import('../load/import-module.ts')
  const { whyUnreadable } = await import('../load/unreadable.ts')
  const { exports, findings, inputs, packages } = await importModule({ root, file: portablePath(root, file) })
  if (exports === undefined) throw new GeneratorError('invalid_config', findings.map(faultOf))
  if (!Object.hasOwn(exports, 'default')) {
    const message = `${portablePath(root, file)} has no default export.`
    throw new GeneratorError('invalid_config', [
      { message, fix: 'Write `export default defineConfig({ … })`.' },
    ])
  }
  const why = whyUnreadable(exports.default)
  if (why !== undefined) {
    const message = `${portablePath(root, file)}: reading its default export throws: ${why}.`
    const fix = 'Export plain data: a configuration has no getters, and is no proxy.'
    throw new GeneratorError('invalid_config', [{ message, fix }])
  }
  return { config: exports.default, inputs: [file, ...inputs], packages }
}

function readJsonConfig(root: string, file: string): unknown {
  try {
    const data = parseJsonc(readIfPresent(file, realFileSystem) ?? '')
    if (!isJsonObject(data)) return data
    const { $schema, ...config } = data // editors use it; it configures nothing
    return config
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const message = `${portablePath(root, file)} is not JSON: ${error.message}.`
    throw new GeneratorError('invalid_config', [{ message, fix: 'Correct it at that place.' }], error)
  }
}

function faultOf(finding: {
  readonly message: string
  readonly fix: string
  readonly at?: { readonly file: string; readonly line: number; readonly column: number }
}): Fault {
  const where = finding.at ? `${finding.at.file}:${finding.at.line}:${finding.at.column}: ` : ''
  return { message: `${where}${finding.message}`, fix: finding.fix }
}
