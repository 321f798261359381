import { createRequire } from 'node:module'
import { join } from 'node:path'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { GeneratorError } from '../generator-error.ts'
import { systemCode } from '../write/file-system.ts'

/** The oldest 0.x of esbuild with all options that are used here. */
const oldestMinor = 25

/**
 * Loads the project's own esbuild, or else the one beside Callsheet: package managers that keep packages apart, such as pnpm, show
 * Callsheet none, or that of another package. One that is too old, such as Vite 5 brings along, is passed over.
 *
 * @param beside A file of Callsheet's package.
 * @throws GeneratorError `cannot_read` if there is none, or only old ones: only projects that generate need it.
 */
export function loadEsbuild(root: string, beside: string = import.meta.url): typeof import('esbuild') {
  let old: string | undefined
  let missing: unknown
  for (const from of [join(root, 'package.json'), beside]) {
    try {
      // Not `import`, which first scans a CommonJS module for its exports: 50 ms of a run.
      const found: typeof import('esbuild') = createRequire(from)('esbuild')
      const [major = 0, minor = 0] = found.version.split('.').map(Number)
      if (major > 0 || minor >= oldestMinor) return found
      old = found.version
    } catch (error) {
      if (systemCode(error) !== 'MODULE_NOT_FOUND' || !messageOf(error).includes('esbuild')) throw error
      missing = error
    }
  }
  const state = old === undefined ? 'which is not installed' : `but version ${old} is installed`
  const fault = {
    message: `Definitions and configurations are read with esbuild 0.${oldestMinor} or later, ${state}.`,
    fix: 'Install it: npm install --save-dev esbuild. What is deployed goes without it: node_modules/callsheet/docs/serving.md#in-production.',
  }
  throw new GeneratorError('cannot_read', [fault], missing)
}
