import type { OnResolveArgs, OnResolveResult, PluginBuild, ResolveResult } from 'esbuild'

/** What a plugin makes of a path and of where esbuild itself finds its module; undefined leaves it as it is. */
export type UseResolved = (resolved: ResolveResult, args: OnResolveArgs) => OnResolveResult | undefined

/** Marks what a plugin asks: esbuild passes it to all plugins, and two of them would ask each other without end. */
const seen = Symbol('seen')

/** Has a plugin look at where esbuild finds the modules of the paths that match. */
export function onResolved(build: PluginBuild, filter: RegExp, use: UseResolved): void {
  build.onResolve({ filter }, async (args) => {
    if (args.pluginData === seen) return undefined
    const { path, importer, namespace, resolveDir, kind } = args
    return use(await build.resolve(path, { importer, namespace, resolveDir, kind, pluginData: seen }), args)
  })
}
