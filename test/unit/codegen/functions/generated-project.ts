import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Registry } from 'callsheet'
import { build } from 'esbuild'
import { expect } from 'vitest'
import { callsheet, project } from '../cli/in-terminal.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

/** The options of a careful user's compiler. */
const strictOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
}

const entry = `import './generated/functions.ts'
export { Tool } from './generated/index.ts'
`

/** Makes a project of these files, to be type-checked strictly, and generates it. @returns Its folder. */
export async function generatedProject(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = project({
    'tsconfig.json': JSON.stringify({
      compilerOptions: strictOptions,
      include: ['definitions', 'generated'],
    }),
    ...files,
  })
  symlinkSync(repository, join(folder, 'node_modules/callsheet'), 'junction')
  const { code, err } = await callsheet(folder, ['generate', '-s'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return folder
}

/** The registry of a generated project, whose functions are the Activities. */
export async function registryOf(folder: string): Promise<Registry['Tool']> {
  const outfile = join(folder, 'run.mjs')
  await build({
    stdin: { contents: entry, resolveDir: folder, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    alias: { callsheet: join(repository, 'runtime') },
  })
  const { Tool } = await import(/* @vite-ignore */ pathToFileURL(outfile).href)
  return Tool
}
