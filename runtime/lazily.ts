/**
 * Loads a module on first use and returns it synchronously from then on. All code that is large and rarely needed is
 * loaded through this function.
 *
 * @example
 * const spans = lazily(() => import('./spans.ts'))
 * const { startSpan } = await spans()
 */
export function lazily<Module extends object>(load: () => Promise<Module>): () => Module | Promise<Module> {
  let loaded: Module | Promise<Module> | undefined
  return () => {
    loaded ??= load().then(
      (module) => {
        loaded = module
        return module
      },
      (error) => {
        // Try again with the next use: the file may be readable by then.
        loaded = undefined
        throw error
      },
    )
    return loaded
  }
}
