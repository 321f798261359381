// What Node reads to load modules: how many files and bytes their static imports come to. The same on every machine,
// unlike the time that it takes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { root } from './project.mjs'

/**
 * @param folder What the paths are relative to.
 * @param paths Modules that are imported, at the start or later.
 */
export function staticImports(folder, paths) {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { metafile } = buildSync({
    absWorkingDir: folder,
    entryPoints: paths,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'bundled',
    format: 'esm',
    platform: 'node',
    // A package that is only imported by a name at run time is nobody's to read here.
    external: Object.keys(peerDependencies).flatMap((name) => [name, `${name}/*`]),
    logLevel: 'error',
  })
  const reached = new Set(paths)
  // The set grows while it is walked.
  for (const path of reached) {
    for (const { path: next, kind, external } of metafile.inputs[path].imports) {
      if (kind === 'import-statement' && !external) reached.add(next)
    }
  }
  const bytes = [...reached].reduce((sum, path) => sum + metafile.inputs[path].bytes, 0)
  return { files: reached.size, bytes }
}
