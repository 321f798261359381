import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The TypeScript versions that generated code must pass under, by the names of their packages here. */
export type Compiler = 'typescript' | 'typescript-6.0' | 'typescript-5.9'

const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  isolatedDeclarations: true,
  declaration: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  noUnusedLocals: true,
  noEmit: true,
  target: 'es2023',
  lib: ['es2023'],
  types: [],
}

interface CompileOptions {
  readonly compiler?: Compiler
  readonly resolution?: 'nodenext' | 'bundler'
  readonly options?: object
}

interface Compilation {
  /** One `file(line,column): error …` each. */
  readonly errors: string[]
  readonly output: string
}

/** Type-checks files in a project of their own, under every strict option, beside a stub of `callsheet/wiring`. */
export function compile(files: Readonly<Record<string, string>>, given: CompileOptions = {}): Compilation {
  const { compiler = 'typescript', resolution = 'nodenext', options = {} } = given
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'callsheet-types-'))
  try {
    const stub = join(folder, 'node_modules/callsheet')
    mkdirSync(stub, { recursive: true })
    copyFileSync(fixture('wiring.d.ts'), join(stub, 'wiring.d.ts'))
    const exports = { './wiring': { types: './wiring.d.ts' } }
    writeFileSync(join(stub, 'package.json'), JSON.stringify({ name: 'callsheet', type: 'module', exports }))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const module = resolution === 'nodenext' ? 'nodenext' : 'esnext'
    const compilerOptions = { ...strictest, module, moduleResolution: resolution, ...options }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: Object.keys(files) }),
    )
    const bin = fileURLToPath(new URL(`../../../../node_modules/${compiler}/bin/tsc`, import.meta.url))
    const run = spawnSync(
      process.execPath,
      [bin, '-p', folder, '--pretty', 'false', '--extendedDiagnostics'],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      },
    )
    return {
      errors: run.stdout.split('\n').filter((line) => line.includes(': error ') || line.startsWith('error ')),
      output: run.stdout + run.stderr,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
}
