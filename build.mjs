// Builds dist/: one JavaScript file per entry of package.json's "exports" with shared chunks beside them, and the
// declarations. What the runtime borrows (the formats of Ajv, a stemmer) is bundled, so that an agent or a worker installs
// nothing else.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { isBuilt, rememberBuild } from './build/last-build.mjs'
import { pruneDeclarations } from './build/prune-declarations.mjs'
import { sharedChunk } from './build/shared-chunk.mjs'
import { thirdPartyNotices } from './build/third-party-notices.mjs'
import { usedFormats } from './build/used-formats.mjs'

if (isBuilt()) process.exit()

// What runs and what generates are built apart: each module that both use would be a file of its own to load.
const runtime = {
  index: 'runtime/index.ts',
  wiring: 'runtime/wiring.ts',
  surface: 'runtime/surface.ts',
  checks: 'runtime/checks.ts',
  agent: 'runtime/agent.ts',
  testing: 'runtime/testing.ts',
  server: 'runtime/server.ts',
  restate: 'runtime/restate.ts',
  temporal: 'runtime/temporal.ts',
}
// One file: Temporal's bundler makes a chunk of each `import()`, and its sandbox cannot load chunks.
const workflow = { workflow: 'runtime/workflow.ts' }
const generator = { codegen: 'codegen/index.ts', cli: 'codegen/cli/main.ts' }

const { version, dependencies, peerDependencies, exports } = JSON.parse(readFileSync('package.json', 'utf8'))

rmSync('dist', { recursive: true, force: true })
const options = {
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'node20.19',
  // Packages are loaded only when a user asks for what they do, from where the user installed them.
  external: [
    'node:*',
    'esbuild',
    ...Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [name, `${name}/*`]),
  ],
  define: { CALLSHEET_VERSION: JSON.stringify(version) },
  legalComments: 'linked',
  metafile: true,
  plugins: [usedFormats],
}
// The page of `callsheet studio`: whole, so that users install nothing for it and nothing is loaded from elsewhere.
const studioPage = {
  entryPoints: { studio: 'codegen/studio/page/main.tsx' },
  outdir: 'dist/studio',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  metafile: true,
}
const shared = sharedChunk(
  [runtime.wiring, runtime.surface],
  [runtime.wiring],
  [runtime.agent, runtime.testing, runtime.server, runtime.restate, runtime.temporal],
)
const built = await Promise.all([
  build({ ...options, entryPoints: runtime, plugins: [usedFormats, shared] }),
  build({ ...options, entryPoints: workflow, splitting: false }),
  build({ ...options, entryPoints: generator }),
  build(studioPage),
])
copyFileSync('codegen/studio/page/index.html', 'dist/studio/index.html')
chmodSync('dist/cli.js', 0o755)
writeFileSync('dist/THIRD-PARTY-NOTICES.md', thirdPartyNotices(built.map(({ metafile }) => metafile)))

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
pruneDeclarations(
  'dist/types',
  Object.values(exports).flatMap(({ types }) => types ?? []),
)
rememberBuild()
