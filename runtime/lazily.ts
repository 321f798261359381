/**
 * The one seam for what is large and rare: loads a module with its first use, and has it at hand from then on.
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
        // A file that could not be read now may be read the next time.
        loaded = undefined
        throw error
      },
    )
    return loaded
  }
}
