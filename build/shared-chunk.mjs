// What every process that runs Tools loads, in six files instead of forty. esbuild puts each module into a chunk with
// those that exactly the same entries reach, and every dynamic import counts as an entry: dozens here, each with its own
// choice of what a registry has loaded long before. A file costs Node half a millisecond or more.
import { readFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'

/**
 * An esbuild plugin: every dynamic import reaches the given modules, so that it divides none of them.
 *
 * @param paths Modules, relative to the working folder, that are loaded before any dynamic import is.
 * @param running What of them is at hand for the parts of `runtime/call/`, which must not bring along the rest.
 * @param beside Entries that are only loaded beside them, and divide them as little.
 */
export function sharedChunk(paths, running, beside) {
  const importsOf = (list) => list.map((path) => `\nimport ${JSON.stringify(resolve(path))}`).join('')
  const parts = resolve('runtime/call') + sep
  const entries = beside.map((path) => resolve(path))
  return {
    name: 'shared-chunk',
    setup(build) {
      // The package has no side effects, so that nothing of these imports is printed; where modules go heeds them all the
      // same, which is all they are for.
      build.initialOptions.logOverride = { 'ignored-bare-import': 'silent' }
      const starts = new Set(entries)
      // Before any module is loaded: which comes first, a module or the import that makes it a start, is chance.
      build.onStart(async () => {
        for (const path of await dynamicImports(build)) starts.add(path)
      })
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!starts.has(path)) return undefined
        return {
          contents: (await readFile(path, 'utf8')) + importsOf(path.startsWith(parts) ? running : paths),
          loader: 'ts',
        }
      })
    },
  }
}

/** The modules that are imported dynamically. */
async function dynamicImports({ esbuild, initialOptions }) {
  const { metafile } = await esbuild.build({ ...initialOptions, plugins: [], write: false, metafile: true })
  return Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports
      .filter(({ kind, external }) => kind === 'dynamic-import' && !external)
      .map(({ path }) => resolve(path)),
  )
}
