import { join } from 'node:path'
import { build } from 'esbuild'

const repository = join(import.meta.dirname, '../../../..')

/**
 * Bundles the command from source as it is published: what starts, and what that loads, is part of what is tested.
 *
 * @param name The folder of the cache that holds it; test files run side by side.
 * @returns The path of the script.
 */
export async function bundledCli(name: string): Promise<string> {
  const outdir = join(repository, 'node_modules/.cache', name)
  await build({
    entryPoints: [join(repository, 'codegen/cli/main.ts')],
    outdir,
    entryNames: 'cli',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  })
  return join(outdir, 'cli.js')
}
