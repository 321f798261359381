import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { onResolved } from './on-resolved.ts'

/** True for a package that `node_modules` only links to, as those of a workspace are: its code may be TypeScript. */
export function isLinkedPackage(specifier: string, folder: string): boolean {
  const [name = '', second = ''] = specifier.split('/')
  const path = join(folder, 'node_modules', name.startsWith('@') ? join(name, second) : name)
  if (existsSync(path)) return !isInstalled(realpathSync(path))
  const parent = dirname(folder)
  return parent !== folder && isLinkedPackage(specifier, parent)
}

/** Takes in what linked packages have in TypeScript, which Node would not run, and leaves all other packages to Node. */
export function withLinkedSources(): Plugin {
  return {
    name: 'callsheet-linked',
    setup(build) {
      onResolved(build, /^[^./#<]/, (resolved, { path, resolveDir }) => {
        const isNodes = resolved.errors.length > 0 || resolved.external || isInstalled(resolved.path)
        const isScript = /\.[cm]?jsx?$/.test(resolved.path) && isLinkedPackage(path, resolveDir)
        return isNodes || isScript ? { path, external: true } : resolved
      })
    },
  }
}

function isInstalled(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path)
}
