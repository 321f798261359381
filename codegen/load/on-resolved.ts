import type { OnResolveArgs, OnResolveResult, PluginBuild, ResolveResult } from 'esbuild'

/** What a plugin makes of a path and of where esbuild itself finds its module; undefined leaves it as it is. */
export type UseResolved = (resolved: ResolveResult, args: OnResolveArgs) => OnResolveResult | undefined

/** Has a plugin look at where esbuild finds the modules of the paths that match. */
export function onResolved(build: PluginBuild, filter: RegExp, use: UseResolved): void {
  const seen = Symbol('seen')
  build.onResolve({ filter }, async (args) => {
    // Asked to resolve a path, esbuild asks its plugins as well, this one included.
    if (args.pluginData === seen) return undefined
    const { path, importer, namespace, resolveDir, kind } = args
    return use(await build.resolve(path, { importer, namespace, resolveDir, kind, pluginData: seen }), args)
  })
}
