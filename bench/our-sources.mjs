// Parts of this checkout that its package does not export, bundled from source and imported.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { root } from './project.mjs'

const entry = `
import * as check from './runtime/checks/check.ts'
import { format, formatTest, guardPattern } from './runtime/formats.ts'
export const helpers = { ...check, format, formatTest, guardPattern }
export { compileCheck } from './codegen/validators/compile.ts'
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
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
