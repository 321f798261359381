import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

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
  const seen = Symbol('seen')
  return {
    name: 'callsheet-linked',
    setup(build) {
      build.onResolve({ filter: /^[^./#<]/ }, async ({ path, pluginData, ...place }) => {
        if (pluginData === seen || place.kind === 'entry-point') return undefined
        const { importer, namespace, resolveDir, kind } = place
        const resolved = await build.resolve(path, {
          importer,
          namespace,
          resolveDir,
          kind,
          pluginData: seen,
        })
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
