import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { uses } from './project.mjs'

// From the package's folder: bench/ has a TypeScript of its own, for a peer, under the name of the newest.
const require = createRequire(new URL('../../package.json', import.meta.url))
const packages = { 5.9: 'typescript-5.9', '6.0': 'typescript-6.0', '7.0': 'typescript' }

export const strictest = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  noEmit: true,
}

export function compilerFolder(version) {
  return dirname(require.resolve(`${packages[version]}/package.json`))
}

/**
 * Type-checks one use of a project, and throws when it does not check.
 *
 * @param use A name of `uses`, or source text.
 * @returns Instantiations, seconds of checking, and megabytes.
 */
export function compile(project, use, version) {
  const name = use in uses ? use : 'source'
  const file = `use-${name}.ts`
  writeFileSync(join(project.folder, file), use in uses ? uses[use](project) : use)
  const config = join(project.folder, `tsconfig.${name}.json`)
  writeFileSync(config, JSON.stringify({ compilerOptions: strictest, files: [file] }))
  const { stdout } = spawnSync(
    process.execPath,
    [join(compilerFolder(version), 'bin/tsc'), '-p', config, '--extendedDiagnostics', '--pretty', 'false'],
    { encoding: 'utf8', maxBuffer: 1e8 },
  )
  const found = (label) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1])
  const errors = /^.*error TS.*$/m.exec(stdout)
  if (errors) throw new Error(`${file} with TypeScript ${version}: ${errors[0]}`)
  return {
    instantiations: found('Instantiations'),
    seconds: found('Check time'),
    megabytes: Math.round(found('Memory used') / 1024),
  }
}
