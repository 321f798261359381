import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { onResolved } from './on-resolved.ts'
import { ownPackageName } from './own-package-name.ts'

/**
 * True for a package that `node_modules` links to, as in a workspace, and for the package that contains the folder itself: their
 * code may be TypeScript.
 */
export function isLinkedPackage(specifier: string, folder: string): boolean {
  const own = ownPackageName(folder)
  return specifier === own || specifier.startsWith(`${own}/`) || isLinked(specifier, folder)
}

function isLinked(specifier: string, folder: string): boolean {
  const [name = '', second = ''] = specifier.split('/')
  const path = join(folder, 'node_modules', name.startsWith('@') ? join(name, second) : name)
  if (existsSync(path)) return !isInstalled(realpathSync(path))
  const parent = dirname(folder)
  return parent !== folder && isLinked(specifier, parent)
}

/** Bundles the TypeScript of linked packages, which Node would not run, and leaves all other packages to Node. */
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
