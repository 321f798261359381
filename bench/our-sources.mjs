// Parts of this checkout that its package does not export, bundled from source and imported.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { root } from './project.mjs'

const entry = `
export * as helpers from './runtime/checks.ts'
export { compileVerdict } from './codegen/validators/compile.ts'
export { linkSchema } from './runtime/check-tree/link-schema.ts'
export { definitionReferences } from './runtime/check-tree/references.ts'
export { interpretCheck } from './runtime/check-tree/interpret.ts'
export { compose } from './runtime/compose/compose.ts'
export { lower } from './runtime/lower/lower.ts'
export { instructionsFor, sentences } from './runtime/agent/request/instructions.ts'
export { render } from './runtime/render/render.ts'
export { loadPhases } from './codegen/pipeline.ts'
export { loadConfig } from './codegen/config/load-config.ts'
`

/** Beside the checkout's own packages, which what is bundled may import. */
export async function ourSources() {
  const { outputFiles } = buildSync({
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    define: { CALLSHEET_VERSION: '"bench"' },
    write: false,
  })
  const folder = mkdtempSync(join(root, 'node_modules', '.callsheet-bench-'))
  try {
    const file = join(folder, 'sources.mjs')
    writeFileSync(file, outputFiles[0].contents)
    return requireAll(await import(pathToFileURL(file).href))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** esbuild leaves out what a TypeScript file does not export, since it could be a type. */
function requireAll(sources) {
  const named = [...entry.matchAll(/\{ (.+) \} from '(.+)'/g)]
  for (const [, names, file] of named) {
    const missing = names.split(', ').filter((name) => !(name in sources))
    if (missing.length > 0)
      throw new Error(`${file} does not export ${missing.join(', ')}, which is measured.`)
  }
  return sources
}
